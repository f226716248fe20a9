public import Foundation
public import NukeCodecs

/// The work for a request, planned from the header of its source: see ``Renderer/plan(for:source:)``.
public struct RenderPlan: Sendable {
  enum Work: Sendable {
    /// The source is sent unchanged.
    case none
    case facts(ImageFacts)
    case image(RenditionProcessor, frameCount: Int)
    case placeholder(ImageOptions.Placeholder, RenditionProcessor)
  }

  /// The source's file.
  public let source: Data
  /// The source's format.
  public let sourceFormat: ImageFormat
  /// The format to write. `nil` for text, and if the pixels decide: the result's transparency between JPEG and PNG, or
  /// the smallest file of several formats.
  public let format: ImageFormat?
  /// The predicted memory for decoding and all further steps at one time, in bytes, excluding the source.
  public let predictedByteCount: Int
  let work: Work
  let options: ImageOptions
  /// The reader of the source; `nil` if the source itself is the result.
  let reader: (any ImageReader)?
  /// The formats of which the smallest file is the result; empty if there is one format.
  var candidates: [ImageFormat] = []
  /// The plan for a large source; `nil` if the pipeline decodes the whole image.
  var bands: Bands?

  /// A Boolean value that indicates whether the source is sent unchanged.
  public var isSourceSent: Bool { if case .none = work { true } else { false } }
  /// A Boolean value that indicates whether the result has several frames.
  public var isMoving: Bool { if case .image(_, let frameCount) = work { frameCount > 1 } else { false } }
  /// The size of the result in pixels; `nil` for text, and if it depends on the pixels, as for trimmed images.
  public var pixelSize: (width: Int, height: Int)? {
    guard case .image(let processor, _) = work, !processor.trims else { return nil }
    return (processor.geometry.result.width, processor.geometry.result.height)
  }

  /// Returns the sizes of the source and of a result.
  func sizes(width: Int, height: Int) -> RenditionSizes? {
    reader.map { RenditionSizes(of: $0.header, width: width, height: height) }
  }
}
