import Foundation
import Nuke

/// Loads every source, several at a time, writes the images where that is asked for, and reports each.
struct LoadRun: Sendable {
  let sources: [Source]
  let processors: [any ImageProcessing]
  let options: ImageRequest.Options
  /// Seconds past their freshness for which stored images are taken without asking.
  var maxStale: Double?
  let repetitions: Int
  let concurrency: Int
  /// The most bytes of one file or body; `nil` for the pipeline's own limit.
  let limit: Int?
  /// `true` if previews are counted.
  let isProgressive: Bool
  let output: OutputPlan?
  let previews: PreviewPlan?
  /// Files that are not to be written over; `nil` if any may be.
  var protected: FileIdentities?
  let encoding: OutputEncoding
  let pipeline: ImagePipeline
  let progress: ProgressDisplay?
  /// Where images are drawn; one is loaded at a time then.
  var screen: ImageScreen?

  /// Loads everything. `report` gets each result as it comes, one call at a time; `reportPreview` each preview that was
  /// written, from several threads.
  func callAsFunction(
    reportPreview: @escaping @Sendable (PreviewResult) -> Void, report: (LoadResult) -> Void
  ) async {
    for repetition in 0..<repetitions {
      await withTaskGroup(of: LoadResult.self) { group in
        var next = 0
        while next < min(concurrency, sources.count) {
          addTask(next, repetition, reportPreview, to: &group)
          next += 1
        }
        while let result = await group.next() {
          report(result)
          guard next < sources.count else { continue }
          addTask(next, repetition, reportPreview, to: &group)
          next += 1
        }
      }
    }
  }

  private func addTask(
    _ index: Int, _ repetition: Int, _ reportPreview: @escaping @Sendable (PreviewResult) -> Void,
    to group: inout TaskGroup<LoadResult>
  ) {
    group.addTask {
      let id = repetition * sources.count + index
      progress?.begin(id, name: sources[index].displayName)
      let outcome = await load(index, id: id, isWritten: repetition == 0, reportPreview)
      progress?.end(id, failed: (try? outcome.get()) == nil)
      return LoadResult(source: sources[index], outcome: outcome)
    }
  }

  private func load(
    _ index: Int, id: Int, isWritten: Bool, _ reportPreview: (PreviewResult) -> Void
  ) async -> Result<LoadResult.Loaded, LoadFailure> {
    let source = sources[index]
    if case .unusable(let reason) = source.location { return .failure(LoadFailure(reason)) }
    var request = ImageRequest(url: source.url, processors: processors, options: options)
    request.maxStale = maxStale
    let task = pipeline.imageTask(with: request)
    do {
      var previewCount = 0
      let screen = isWritten ? screen : nil
      if progress != nil || isProgressive || screen != nil {
        for await event in task.events {
          switch event {
          case .progress(let step): progress?.update(id, completed: step.completed, total: step.total)
          case .preview(let preview):
            previewCount += 1
            await screen?.show(preview: preview.container)
            if isWritten, let previews {
              reportPreview(try write(preview, number: previewCount, of: index, to: previews))
            }
          case .finished: break
          }
        }
      }
      let response = try await task.response
      var loaded = LoadResult.Loaded(response, facts: task.facts)
      if isProgressive { loaded.previews = previewCount }
      if isWritten, let output { try write(response, index, to: output, noting: &loaded) }
      try await screen?.show(response.container, isLast: index == sources.count - 1)
      await screen?.release()
      return .success(loaded)
    } catch {
      await screen?.release()
      task.cancel()
      return .failure(LoadFailure(error, limit: limit))
    }
  }

  private func write(
    _ preview: ImageResponse, number: Int, of index: Int, to plan: PreviewPlan
  ) throws -> PreviewResult {
    let original = preview.container.type.flatMap(ImageFormat.init(type:))
    let (path, format) = plan.destination(for: index, number: number, rewriting: original)
    try AtomicFile.write(try encoding.encode(preview.image, as: format), to: path)
    return PreviewResult(
      source: sources[index], number: number, width: preview.image.pixelWidth, height: preview.image.pixelHeight,
      output: path)
  }

  private func write(
    _ response: ImageResponse, _ index: Int, to output: OutputPlan, noting loaded: inout LoadResult.Loaded
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let original = response.container.type.flatMap(ImageFormat.init(type:))
    let (path, format) = output.destination(for: index, rewriting: original)
    if protected?.contains(path) == true {
      throw LoadFailure("not written, since \(path) is a source itself: choose another name or folder")
    }
    let data = try encoding.encode(response.container, as: format)
    let encoded = clock.now
    try AtomicFile.write(data, to: path)
    loaded.output = path
    loaded.stages.append(.init(name: "encoding", seconds: (encoded - start).seconds))
    loaded.stages.append(.init(name: "writing", seconds: (clock.now - encoded).seconds))
    loaded.total += (clock.now - start).seconds
  }
}

/// How images are encoded.
struct OutputEncoding: Sendable {
  /// From 0 to 1.
  let quality: Double
  /// `true` if every pixel is to be kept as it is.
  var isLossless = false

  /// All frames of an animated image where the format can move, else the image.
  func encode(_ container: ImageContainer, as format: OutputFormat) throws -> Data {
    let writer = try writer(for: format)
    if let writer = writer as? any AnimationWriter, let animation = container.animation {
      return try writer.encode(animation)
    }
    return try writer.encode(container.image)
  }

  func encode(_ image: Bitmap, as format: OutputFormat) throws(CodecError) -> Data {
    try writer(for: format).encode(image)
  }

  private func writer(for format: OutputFormat) throws(CodecError) -> any ImageWriter {
    if isLossless, format.format == .jpeg {
      throw .encodingFailed(.jpeg, reason: "it has no form without loss: write webp or png")
    }
    return try ImageWriters.writer(
      for: format.format, options: EncodeOptions(quality: quality, isLossless: isLossless))
  }
}

extension LoadResult.Loaded {
  init(_ response: ImageResponse, facts: ImageTask.Facts) {
    self.init(
      format: response.container.type.flatMap(ImageFormat.init(type:))?.rawValue,
      width: response.image.pixelWidth, height: response.image.pixelHeight, bytes: facts.byteCount,
      origin: (facts.origin ?? .network).rawValue,
      freshness: facts.freshness.map { "\($0)" }, previews: nil, output: nil,
      stages: [
        .init(name: "queued", seconds: facts.queued), .init(name: "loading", seconds: facts.loading),
        .init(name: "decoding", seconds: facts.decoding), .init(name: "processing", seconds: facts.processing),
      ], total: facts.total)
  }
}

extension Duration {
  var seconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
  }
}
