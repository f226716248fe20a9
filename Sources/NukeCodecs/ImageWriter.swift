public import Foundation
public import NukeImaging

/// Writes images in one format. Each format that can be written has one: ``JPEGWriter``, ``PNGWriter``, ``WebPWriter``,
/// ``GIFWriter`` and so on; ``ImageWriters`` finds the right one.
public protocol ImageWriter: Sendable {
  static var format: ImageFormat { get }

  /// A writer for what a program says of all formats alike.
  init(_ options: EncodeOptions)

  /// The encoded file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty image or one too large for the format.
  func encode(_ image: Bitmap) throws(CodecError) -> Data
}

/// How an image is to be encoded, for writers of any format. Each takes of it what its format knows.
public struct EncodeOptions: Sendable {
  /// From 0 (small) to 1 (good). Formats that lose nothing ignore it.
  public var quality: Double
  /// A Boolean value that indicates whether every pixel is to come back as it was, where the format can do that; what
  /// cannot ignores it.
  public var isLossless: Bool

  /// What stood beside the pixels in the file they come from: see ``ImageReader/metadata``.
  public var metadata = ImageMetadata()
  /// What of ``metadata`` is to be written; nothing unless told otherwise.
  public var keptMetadata: ImageMetadata.Parts = []

  /// How an image is to be encoded: at a quality of 0.8 and without metadata, unless told otherwise.
  public init(quality: Double = 0.8, isLossless: Bool = false) {
    self.quality = quality
    self.isLossless = isLossless
  }

  /// What is to be written beside the pixels.
  var writtenMetadata: ImageMetadata { metadata.keeping(keptMetadata) }
}

/// The writers of this build.
public enum ImageWriters {
  static let all: [ImageFormat: any ImageWriter.Type] = [
    .bmp: BMPWriter.self,
    .gif: GIFWriter.self,
    .jpeg: JPEGWriter.self,
    .png: PNGWriter.self,
    .webp: WebPWriter.self,
  ].merging(traited) { $1 }

  /// A writer for a format.
  ///
  /// - Throws: ``CodecError/notBuilt(_:_:)`` where this build does not write it.
  public static func writer(
    for format: ImageFormat, options: EncodeOptions = .init()
  ) throws(CodecError) -> any ImageWriter {
    guard let type = all[format] else { throw .notBuilt(format, .writing) }
    return type.init(options)
  }
}
