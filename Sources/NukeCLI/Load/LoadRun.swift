import Foundation
import Nuke

/// Loads every source, several at a time, writes the pictures where that is asked for, and reports each.
struct LoadRun: Sendable {
  let sources: [Source]
  let processors: [any ImageProcessing]
  let repetitions: Int
  let concurrency: Int
  /// The most bytes of one file or body; nil for the pipeline's own limit.
  let limit: Int?
  let output: OutputPlan?
  let encoding: PictureEncoding
  let pipeline: ImagePipeline
  let progress: ProgressDisplay?

  /// Loads everything. `report` gets each result as it comes, one call at a time.
  func callAsFunction(report: (LoadResult) -> Void) async {
    for repetition in 0..<repetitions {
      await withTaskGroup(of: LoadResult.self) { group in
        var next = 0
        while next < min(concurrency, sources.count) {
          addTask(next, repetition, to: &group)
          next += 1
        }
        while let result = await group.next() {
          report(result)
          guard next < sources.count else { continue }
          addTask(next, repetition, to: &group)
          next += 1
        }
      }
    }
  }

  private func addTask(_ index: Int, _ repetition: Int, to group: inout TaskGroup<LoadResult>) {
    group.addTask {
      let id = repetition * sources.count + index
      progress?.begin(id, name: sources[index].displayName)
      let outcome = await load(index, id: id, isWritten: repetition == 0)
      progress?.end(id, failed: (try? outcome.get()) == nil)
      return LoadResult(source: sources[index], outcome: outcome)
    }
  }

  private func load(_ index: Int, id: Int, isWritten: Bool) async -> Result<LoadResult.Picture, LoadFailure> {
    let source = sources[index]
    if case .unusable(let reason) = source.location { return .failure(LoadFailure(reason)) }
    let task = pipeline.imageTask(with: ImageRequest(url: source.url, processors: processors))
    if let progress {
      for await step in task.progress { progress.update(id, completed: step.completed, total: step.total) }
    }
    do {
      let response = try await task.response
      var picture = LoadResult.Picture(response, facts: task.facts)
      if isWritten, let output { try write(response, index, to: output, noting: &picture) }
      return .success(picture)
    } catch {
      return .failure(LoadFailure(error, limit: limit))
    }
  }

  private func write(
    _ response: ImageResponse, _ index: Int, to output: OutputPlan, noting picture: inout LoadResult.Picture
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let original = response.container.type.flatMap(ImageFormat.init(type:))
    let (path, format) = output.destination(for: index, rewriting: original)
    let data = try encoding.encode(response.image, as: format)
    let encoded = clock.now
    try AtomicFile.write(data, to: path)
    picture.output = path
    picture.stages.append(.init(name: "encoding", seconds: (encoded - start).seconds))
    picture.stages.append(.init(name: "writing", seconds: (clock.now - encoded).seconds))
    picture.total += (clock.now - start).seconds
  }
}

/// How pictures are encoded.
struct PictureEncoding: Sendable {
  /// From 0 to 1.
  let quality: Double

  func encode(_ image: Bitmap, as format: OutputFormat) throws(CodecError) -> Data {
    switch format {
    case .jpeg: try JPEGWriter(quality: quality).encode(image)
    case .png: try PNGWriter().encode(image)
    case .webp: try WebPWriter(quality: quality).encode(image)
    }
  }
}

extension LoadResult.Picture {
  init(_ response: ImageResponse, facts: ImageTask.Facts) {
    self.init(
      format: response.container.type.flatMap(ImageFormat.init(type:))?.rawValue,
      width: response.image.pixelWidth, height: response.image.pixelHeight, bytes: facts.byteCount,
      origin: (facts.origin ?? .network).rawValue, output: nil,
      stages: [
        .init(name: "queued", seconds: facts.queued), .init(name: "loading", seconds: facts.loading),
        .init(name: "decoding", seconds: facts.decoding), .init(name: "processing", seconds: facts.processing),
      ], total: facts.total)
  }
}

extension ImageFormat {
  /// The format that an asset type names, where this build reads it.
  init?(type: AssetType) {
    switch type {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    case .gif: self = .gif
    default: return nil
    }
  }
}

extension Duration {
  var seconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
  }
}
