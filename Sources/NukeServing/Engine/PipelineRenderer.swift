package import Foundation
package import Nuke

/// Makes files with a ``Renderer``, whose decoding, processing and encoding run in a pipeline.
package struct PipelineRenderer: RenditionRendering {
  private let renderer: Renderer
  private let pipeline: ImagePipeline
  package let identifier: String

  package init(_ renderer: Renderer, in pipeline: ImagePipeline) {
    self.renderer = renderer
    self.pipeline = pipeline
    identifier = renderer.identifier
  }

  package func plan(_ request: RenditionRequest, source: Data) throws(ServingError) -> PlannedRendition {
    let plan = try renderer.plan(for: request, source: source)
    return PlannedRendition(decodedBytes: plan.predictedByteCount) { () async throws(ServingError) in
      try await renderer.render(plan, in: pipeline)
    }
  }
}
