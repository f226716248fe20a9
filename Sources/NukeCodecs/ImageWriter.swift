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

/// Options for encoding an image in any format. Each writer uses those its format has.
public struct EncodeOptions: Sendable {
  /// The quality, from 0 (smallest file) to 1 (best image). Lossless formats ignore it.
  public var quality: Double
  /// A Boolean value that indicates whether every pixel is to come back as it was, where the format can do that; what
  /// cannot ignores it.
  public var isLossless: Bool

  /// The compression level of PNG, from 0 (fastest) to 9 (smallest file); `nil`, the default, for ``PNGWriter``'s
  /// default. Other formats ignore it.
  public var compressionLevel: Int?
  /// The maximum number of colors of PNG and GIF, 2...256; `nil`, the default, for the format's limit. PNG ignores it if
  /// ``isLossless`` is `true`.
  public var maximumColorCount: Int?
  /// A Boolean value that indicates whether colors that a palette lacks are dithered. The default is `true`.
  public var isDithered = true

  /// The metadata of the source: see ``ImageReader/metadata``.
  public var metadata = ImageMetadata()
  /// The parts of ``metadata`` to write. The default is none.
  public var keptMetadata: ImageMetadata.Parts = []

  /// Creates options. The defaults are a quality of 0.8 and no metadata.
  public init(quality: Double = 0.8, isLossless: Bool = false) {
    self.quality = quality
    self.isLossless = isLossless
  }

  /// The metadata to write.
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

/// Writes animated images in one format: ``GIFWriter``, ``PNGWriter`` and ``WebPWriter`` do.
public protocol AnimationWriter: Sendable {
  static var format: ImageFormat { get }

  /// The encoded file of all frames, with their delays and the count of loops.
  ///
  /// Frames are pulled one by one: of long ones a few are in memory at a time, and the file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` where there is no frame, frames differ in size or are too large
  ///   for the format; and whatever pulling a frame throws.
  func encode(_ animation: Animation) throws -> Data
}
