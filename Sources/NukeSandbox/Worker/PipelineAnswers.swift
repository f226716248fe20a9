package import Foundation
import Nuke
import NukeCodecs
package import NukeServing

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
    let result = executor.run { [renderer, pipeline] () async -> Result<RenderedFile, ServingError> in
      do throws(ServingError) {
        return .success(try await renderer.render(plan, in: pipeline))
      } catch {
        return .failure(error)
      }
    }
    return .file(try result.get())
  }

  package func facts(_ source: Data) throws(ServingError) -> ImageFacts { try renderer.facts(of: source) }
}
