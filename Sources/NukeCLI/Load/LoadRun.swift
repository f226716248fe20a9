#if Command
  import Foundation
  import Nuke

  /// Loads sources, several at a time, writes and draws the images if requested, and reports each.
  struct LoadRun: Sendable {
    let session: Session
    let sources: [Source]
    let limits: TransferLimits
    let concurrency: Int
    let setup: PipelineSetup
    let encoding: OutputEncoding
    let output: OutputPlan?
    var repetitions = 1
    /// `true` to write the data unchanged instead of an image.
    var isOriginal = false
    /// `true` to print the stages of each load.
    var isVerbose = false
    /// `true` if previews are counted.
    var isProgressive = false
    var previews: OutputFolder?
    /// The format of previews; `nil` for that of the source.
    var previewFormat: OutputFormat?
    /// Draws images instead of bars. One image is loaded at a time then.
    var screen: ImageScreen?
    /// Converts a source in another way, and writes its file. Returns `nil` if the pipeline is to load it.
    var conversion: @Sendable (Source, Int) async throws -> LoadedImage? = { _, _ in nil }
    let request: @Sendable (Source) throws -> ImageRequest

    func callAsFunction() async {
      let progress = screen == nil ? session.progress(count: sources.count * repetitions) : nil
      var summary = LoadSummary()
      for repetition in 0..<repetitions {
        await forEachConcurrently(sources.count, limit: screen == nil ? concurrency : 1) {
          index -> (Source, Result<LoadedImage, any Error>) in
          let id = repetition * sources.count + index
          progress?.begin(id, name: sources[index].displayName)
          let result = await load(index, isWritten: repetition == 0) { progress?.update(id, $0) }
          progress?.end(id, failed: result.isFailure, bytes: (try? result.get())?.bytes ?? 0)
          return (sources[index], result)
        } receive: {
          let (source, result) = $0
          switch result {
          case .success(let loaded):
            summary.add(.success(loaded))
            session.report(loaded.report(source, isVerbose: isVerbose))
          case .failure(let skipped as SkippedOutput):
            summary.addSkipped()
            session.report(skipped.report(source))
          case .failure(let error):
            let failure = limits.failure(error)
            summary.add(.failure(failure))
            session.report(SourceReport(source: source, failure: failure))
          }
        }
      }
      await setup.finish()
      progress?.finish()
      if summary.count > 1, session.printsText { session.console.print(summary.line(seconds: session.seconds)) }
    }

    private func load(
      _ index: Int, isWritten: Bool, _ onProgress: (ImageTask.Progress) -> Void
    ) async -> Result<LoadedImage, any Error> {
      var task: ImageTask?
      let screen = isWritten ? screen : nil
      do {
        // Before the source is loaded, if the path does not depend on it.
        if isWritten, let output, output.existing != .replace {
          let (path, isKnown) = output.expected(for: index, of: sources[index])
          if isKnown { try output.check(path, for: index) }
        }
        if isWritten, let converted = try await conversion(sources[index], index) { return .success(converted) }
        let started = setup.pipeline.startTask(
          with: try request(sources[index]), kind: isOriginal ? .data : .image, keepsEvents: true)
        task = started
        var previewCount = 0
        for await event in started.events {
          switch event {
          case .progress(let step): onProgress(step)
          case .preview(let preview):
            previewCount += 1
            await screen?.show(preview: preview.container)
            if isWritten { try write(preview, number: previewCount, of: index) }
          case .finished: break
          }
        }
        var response = try await started.response
        if isOriginal {
          return .success(try writeOriginal(response.container.data ?? Data(), started.facts, of: index))
        }
        // A frame of a video that was requested with --at is a still image. An animated image has no such frame.
        let format = response.container.type.flatMap(ImageFormat.init(type:))
        if response.request.posterFrame != .first, format?.isVideo == true { response.container.data = nil }
        var loaded = LoadedImage(response, facts: started.facts)
        if isProgressive { loaded.previews = previewCount }
        if isWritten { try write(response, index, noting: &loaded) }
        try await screen?.show(response.container, isLast: index == sources.count - 1)
        await screen?.release()
        return .success(loaded)
      } catch {
        await screen?.release()
        task?.cancel()
        return .failure(error)
      }
    }

    private func write(_ preview: ImageResponse, number: Int, of index: Int) throws {
      guard let previews else { return }
      let source = sources[index]
      let format = previewFormat ?? OutputFormat(rewriting: preview.container.type.flatMap(ImageFormat.init(type:)))
      let path = previews.path(for: index, suffix: "-preview-\(number)", format)
      try AtomicFile.write(try encoding.encode(preview.image, as: format), to: path)
      let (width, height) = (preview.image.pixelWidth, preview.image.pixelHeight)
      session.print(
        .members([
          "source": .string(source.textForPrograms), "preview": .integer(number), "width": .integer(width),
          "height": .integer(height), "output": .string(path.pathForPrograms),
        ]), ["\(source.displayName)  preview \(number)  \(width)x\(height)  → \(path.onOneLine)"])
    }

    private func write(_ response: ImageResponse, _ index: Int, noting loaded: inout LoadedImage) throws {
      guard let output else { return }
      let start = ContinuousClock.now
      let original = response.container.type.flatMap(ImageFormat.init(type:))
      let (path, format) = try output.destination(
        for: index, rewriting: original, size: (response.image.pixelWidth, response.image.pixelHeight))
      var container = response.container
      warn(ofFramesDroppedFrom: container, in: sources[index], writing: format)
      if original?.isVideo == true, !format.animatesVideos { container.data = nil }
      let data = try encoding.encode(container, as: format)
      let encoded = ContinuousClock.now
      try AtomicFile.write(data, to: path)
      loaded.addOutput(
        path, bytes: data.count, encoding: (encoded - start).seconds,
        writing: (ContinuousClock.now - encoded).seconds)
    }
  }

  extension LoadRun {
    /// Prints a warning if the file will contain one frame of several.
    private func warn(
      ofFramesDroppedFrom container: ImageContainer, in source: Source, writing format: OutputFormat
    ) {
      // A frame of a video that was requested with --at has no data.
      guard container.data != nil else { return }
      if container.type.flatMap(ImageFormat.init(type:))?.isVideo == true {
        guard !format.animatesVideos else { return }
        session.warn(
          "\(source.displayName): only one frame of the video is written (see --at, or use one of "
            + "\(OutputFormat.videoExtensions))")
      } else if !format.isAnimated, let count = container.animation?.delays.count, count > 1 {
        session.warn(
          "\(source.displayName): only the first of \(count) frames is written, since \(format.format.displayName) files "
            + "are written without animation: use one of \(OutputFormat.animatedExtensions)")
      }
    }
  }

  extension Result<LoadedImage, any Error> {
    /// `true` if the source has failed, rather than been left out.
    fileprivate var isFailure: Bool {
      if case .failure(let error) = self { !(error is SkippedOutput) } else { false }
    }
  }
#endif
