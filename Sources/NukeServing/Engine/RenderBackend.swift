package import Foundation
package import Nuke
import NukeCodecs

/// Renders files from sources. The service first asks how much memory a file needs, and renders it when the budget has
/// room.
package protocol RenderBackend: Sendable {
  /// Identifies the settings that affect files, such as the default quality. Renderers with equal identifiers render
  /// equal files.
  var identifier: String { get }

  /// Plans the rendering. Opens the files, and decodes no pixels. Reports the time for it to ``RenderStages``, if it is
  /// more than reading a header.
  ///
  /// - Parameter watermark: the file of ``ImageOptions/watermarkSource``; `nil` for the renderer's own watermark.
  func plan(
    _ request: RenditionRequest, source: Data, watermark: Data?
  ) async throws(ServingError) -> PlannedRendition
}

extension RenderBackend {
  package func plan(_ request: RenditionRequest, source: Data) async throws(ServingError) -> PlannedRendition {
    try await plan(request, source: source, watermark: nil)
  }
}

/// The plan to render a file.
package struct PlannedRendition: Sendable {
  /// The maximum number of bytes of decoded images that rendering needs.
  package let decodedBytes: Int
  /// Renders the file, and reports the durations of its stages to ``RenderStages``.
  package let render: @Sendable () async throws(ServingError) -> RenderedFile

  package init(decodedBytes: Int, render: @escaping @Sendable () async throws(ServingError) -> RenderedFile) {
    self.decodedBytes = decodedBytes
    self.render = render
  }
}

/// Renders files with a ``Renderer``, whose decoding, processing and encoding run in a pipeline.
package struct PipelineRenderer: RenderBackend {
  private let renderer: Renderer
  private let pipeline: ImagePipeline
  package let identifier: String

  package init(_ renderer: Renderer, in pipeline: ImagePipeline) {
    self.renderer = renderer
    self.pipeline = pipeline
    identifier = renderer.identifier
  }

  package func plan(
    _ request: RenditionRequest, source: Data, watermark: Data?
  ) async throws(ServingError) -> PlannedRendition {
    let plan =
      if [source, watermark].contains(where: { $0.flatMap(ImageReaders.openingByteCount) != nil }) {
        try await pipeline.opening { [renderer] in
          try renderer.plan(for: request, source: source, watermark: watermark)
        }
      } else {
        try renderer.plan(for: request, source: source, watermark: watermark)
      }
    return PlannedRendition(decodedBytes: plan.predictedByteCount) { () async throws(ServingError) in
      try await renderer.render(plan, in: pipeline)
    }
  }
}
