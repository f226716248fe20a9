package import Foundation
package import Nuke

/// Makes files of sources. A service asks first what it will take, then has it done when there is room for it.
package protocol RenditionRendering: Sendable {
  /// Identifies the settings that decide about files, such as the default quality. Renderers with equal identifiers
  /// make equal files.
  var identifier: String { get }

  /// Looks at the beginning of the source alone.
  func plan(_ request: RenditionRequest, source: Data) async throws(ServingError) -> PlannedRendition
}

/// A file that is yet to be made.
package struct PlannedRendition: Sendable {
  /// Bytes of decoded images that it takes at most.
  package let decodedBytes: Int
  /// Makes it, and tells ``RenderStages`` what took how long.
  package let render: @Sendable () async throws(ServingError) -> RenderedFile

  package init(decodedBytes: Int, render: @escaping @Sendable () async throws(ServingError) -> RenderedFile) {
    self.decodedBytes = decodedBytes
    self.render = render
  }
}

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
