package import Foundation
import Nuke
package import NukeCodecs
import NukeImaging
package import NukeServing

/// Processes the requests to a worker, one at a time.
package protocol WorkerRequestHandler {
  /// Returns the maximum number of bytes of decoded images that rendering needs.
  func decodedBytes(_ request: RenditionRequest, _ source: Data, _ watermark: Data?) throws(ServingError) -> Int
  /// - Parameter watermark: the file of the watermark; `nil` for the renderer's own.
  func render(_ request: RenditionRequest, _ source: Data, _ watermark: Data?) throws(ServingError) -> WorkerResult
  func facts(_ source: Data) throws(ServingError) -> ImageFacts
}

/// The result of rendering.
package enum WorkerResult: Sendable {
  case file(RenderedFile)
  /// The source must be sent unchanged.
  case source(ImageFormat)
}

/// Renders files with the same renderer and pipeline as a server without a sandbox.
package final class PipelineRequestHandler: WorkerRequestHandler {
  private let renderer: Renderer
  private let pipeline: ImagePipeline
  private let executor = LoopExecutor()
  /// The last source that took long to open. Up to three requests use it: for facts, for a plan, and for the file.
  private let lastOpened = Lock<(source: Data, reader: any ImageReader)?>(nil)

  package init(_ renderer: Renderer) {
    self.renderer = renderer
    // A worker does not load anything.
    var configuration = ImagePipeline.Configuration(dataLoader: SourceLoader([:]))
    configuration.imageCache = nil
    configuration.isRateLimiterEnabled = false
    configuration.isLocalResourcesSupportEnabled = false
    configuration.codecLimits = renderer.limits.source
    pipeline = ImagePipeline(configuration: configuration)
  }

  package func decodedBytes(
    _ request: RenditionRequest, _ source: Data, _ watermark: Data?
  ) throws(ServingError) -> Int {
    try plan(request, source, watermark).predictedByteCount
  }

  package func render(
    _ request: RenditionRequest, _ source: Data, _ watermark: Data?
  ) throws(ServingError) -> WorkerResult {
    let plan = try plan(request, source, watermark)
    if plan.isSourceSent { return .source(plan.sourceFormat) }
    let result = executor.run { [renderer, pipeline] in
      await Result { () async throws(ServingError) in try await renderer.render(plan, in: pipeline) }
    }
    return .file(try result.get())
  }

  package func facts(_ source: Data) throws(ServingError) -> ImageFacts {
    try renderer.facts(of: source) { () throws(ServingError) in
      if let reader = try opened(source) { reader } else { try renderer.reader(of: source) }
    }
  }

  private func plan(
    _ request: RenditionRequest, _ source: Data, _ watermark: Data?
  ) throws(ServingError) -> RenderPlan {
    let skipped = request.options.skippedFormats
    let isSkipped = !skipped.isEmpty && ImageFormat(sniffing: source).map { skipped.contains($0) } ?? false
    let isRaw = request.options.isRaw || isSkipped || request.output == .facts
    return try renderer.plan(
      for: request, source: source, watermark: watermark, reader: isRaw ? nil : try opened(source))
  }

  /// Returns the reader of a source that takes long to open; `nil` for other sources.
  private func opened(_ source: Data) throws(ServingError) -> (any ImageReader)? {
    if let last = lastOpened.withLock({ $0 }), last.source == source { return last.reader }
    // Its memory is released before another one is opened.
    lastOpened.withLock { $0 = nil }
    guard ImageReaders.openingByteCount(of: source) != nil, source.count <= renderer.limits.maximumSourceBytes else {
      return nil
    }
    let reader = try renderer.reader(of: source)
    lastOpened.withLock { $0 = (source, reader) }
    return reader
  }
}
