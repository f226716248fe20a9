public import Foundation
public import NukeCodecs

/// The work for a request, planned from the header of its source: see ``Renderer/plan(for:source:watermark:)``.
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
  public private(set) var predictedByteCount: Int
  let work: Work
  let options: ImageOptions
  /// The reader of the source; `nil` if the source itself is the result.
  let reader: (any ImageReader)?
  /// The formats of which the smallest file is the result; empty if there is one format.
  var candidates: [ImageFormat] = []
  /// The plan for a large source; `nil` if the pipeline decodes the whole image.
  var bands: Bands?
  /// `true` if ``reader`` reads the thumbnail in the source, which is rendered in place of the image.
  var isOfThumbnail = false
  /// `true` if the pixels are those of ``reader``, and not those that the pipeline decodes from ``source``.
  var rendersReader: Bool { isOfThumbnail || reader is PagesReader || reader is VideoFramesReader }
  /// The watermark to decode; `nil` for that of the renderer.
  private(set) var watermark: (any ImageReader)?

  /// `true` if a watermark is drawn over the result, if there is one.
  var drawsWatermark: Bool {
    switch work {
    case .none, .facts: false
    case .image, .placeholder: options.watermark != nil
    }
  }

  /// A Boolean value that indicates whether the source is sent unchanged.
  public var isSourceSent: Bool { if case .none = work { true } else { false } }
  /// A Boolean value that indicates whether the result has several frames.
  public var isMoving: Bool { if case .image(_, let frameCount) = work { frameCount > 1 } else { false } }
  /// The size of the result in pixels; `nil` for text, and if it depends on the pixels, as for trimmed images.
  public var pixelSize: (width: Int, height: Int)? {
    guard case .image(let processor, _) = work, !processor.trims else { return nil }
    return (processor.geometry.result.width, processor.geometry.result.height)
  }

  /// Draws another watermark than that of the renderer, and adds the memory to decode it.
  mutating func draw(_ watermark: any ImageReader) {
    self.watermark = watermark
    let (width, height) = watermark.pixelSize(scaleDenominator: 1)
    let pixels = Double(width) * Double(height) * (options.turnsWatermark ? 8 : 1)
    let bytes = pixels * 4 + Double(watermark.workingByteCount)
    predictedByteCount = Int(min(Double(predictedByteCount) + bytes, 1e18))
  }

  /// Returns the sizes of the source and of a result.
  func sizes(width: Int, height: Int) -> RenditionSizes? {
    reader.map { RenditionSizes(of: $0.header, width: width, height: height) }
  }
}
