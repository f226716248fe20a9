package import Foundation
import Nuke
package import NukeCodecs
package import NukeServing

/// What a worker does, one order at a time.
package protocol WorkerAnswering {
  /// Bytes of decoded images that a file takes at most.
  func decodedBytes(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> Int
  func render(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> WorkerResult
  func facts(_ source: Data) throws(ServingError) -> ImageFacts
}

/// What is sent for an image.
package enum WorkerResult: Sendable {
  case file(RenderedFile)
  /// The unchanged source.
  case source(ImageFormat)
}

/// Makes files as a server without a sandbox does, with the same renderer in a pipeline.
package struct PipelineAnswers: WorkerAnswering {
  private let renderer: Renderer
  private let pipeline: ImagePipeline
  private let executor = LoopExecutor()

  package init(_ renderer: Renderer) {
    self.renderer = renderer
    // Nothing is loaded in a worker.
    var configuration = ImagePipeline.Configuration(dataLoader: SourceLoader([:]))
    configuration.imageCache = nil
    configuration.isRateLimiterEnabled = false
    configuration.isLocalResourcesSupportEnabled = false
    configuration.codecLimits = renderer.limits.source
    pipeline = ImagePipeline(configuration: configuration)
  }

  package func decodedBytes(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> Int {
    try renderer.plan(for: request, source: source).predictedByteCount
  }

  package func render(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> WorkerResult {
    let plan = try renderer.plan(for: request, source: source)
    if plan.isSourceSent { return .source(plan.sourceFormat) }
    let result = executor.run { [renderer, pipeline] in
      await Result { () async throws(ServingError) in try await renderer.render(plan, in: pipeline) }
    }
    return .file(try result.get())
  }

  package func facts(_ source: Data) throws(ServingError) -> ImageFacts { try renderer.facts(of: source) }
}
