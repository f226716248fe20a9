package import Foundation
import Nuke
package import NukeCodecs
package import NukeServing

/// Processes the requests to a worker, one at a time.
package protocol WorkerAnswering {
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
package struct PipelineAnswers: WorkerAnswering {
  private let renderer: Renderer
  private let pipeline: ImagePipeline
  private let executor = LoopExecutor()

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
    try renderer.plan(for: request, source: source, watermark: watermark).predictedByteCount
  }

  package func render(
    _ request: RenditionRequest, _ source: Data, _ watermark: Data?
  ) throws(ServingError) -> WorkerResult {
    let plan = try renderer.plan(for: request, source: source, watermark: watermark)
    if plan.isSourceSent { return .source(plan.sourceFormat) }
    let result = executor.run { [renderer, pipeline] in
      await Result { () async throws(ServingError) in try await renderer.render(plan, in: pipeline) }
    }
    return .file(try result.get())
  }

  package func facts(_ source: Data) throws(ServingError) -> ImageFacts { try renderer.facts(of: source) }
}
