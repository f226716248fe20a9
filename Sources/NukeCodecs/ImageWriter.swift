public import Foundation
public import NukeImaging

/// Writes images in one format. Each format that can be written has a writer: ``JPEGWriter``, ``PNGWriter``,
/// ``WebPWriter``, ``GIFWriter`` and so on. ``ImageWriters`` selects the right one.
public protocol ImageWriter: Sendable {
  static var format: ImageFormat { get }

  /// Creates a writer with options for any format.
  init(_ options: EncodeOptions)

  /// Encodes an image.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty image or one too large for the format.
  func encode(_ image: Bitmap) throws(CodecError) -> Data
}

/// Options for encoding an image in any format. Each writer uses those that its format supports.
public struct EncodeOptions: Sendable {
  /// The quality, from 0 (smallest file) to 1 (best image). Lossless formats ignore it.
  ///
  /// It is the quality of a JPEG. Other formats use the quality of their library that looks like it, by SSIM: for 0.8, that
  /// is 84 of libwebp, 63 of libavif and 87 of libjxl. The writers' own `quality` is that of the library.
  public var quality: Double
  /// A Boolean value that indicates whether the encoding is lossless. Formats that do not support it ignore it.
  public var isLossless: Bool

  /// The effort, from 0 (fastest) to 1 (smallest file); `nil`, the default, for the writer's default. Each writer maps it
  /// to its own scale: ``PNGWriter/compressionLevel``, ``JPEGWriter/optimizesHuffmanTables``, and the `effort` of WebP,
  /// AVIF and JPEG XL. Other formats ignore it.
  public var effort: Double?
  /// A Boolean value that indicates whether JPEG is written in passes of growing quality. The default is `false`. Other
  /// formats ignore it.
  public var isProgressive = false
  /// The chroma subsampling of JPEG and AVIF; `nil`, the default, for the writer's default. Other formats ignore it:
  /// lossy WebP is always 4:2:0.
  public var chromaSubsampling: ChromaSubsampling?
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

  /// ``effort`` on a scale of whole numbers; `nil` if it is not set. Values outside of 0...1 are clamped.
  func effort(in scale: ClosedRange<Int>) -> Int? {
    guard let effort, !effort.isNaN else { return nil }
    return scale.lowerBound + Int((min(max(effort, 0), 1) * Double(scale.count - 1)).rounded())
  }
}

/// The resolution of the chroma components, relative to luminance.
public enum ChromaSubsampling: String, Sendable, Hashable, CaseIterable, Codable {
  /// Half in both directions. Hardly visible in photographs.
  case yuv420
  /// Full resolution, for graphics with sharp colored edges.
  case yuv444
}

/// The writers of this build.
public enum ImageWriters {
  static let all: [ImageFormat: any ImageWriter.Type] = [
    .bmp: BMPWriter.self,
    .gif: GIFWriter.self,
    .ico: ICOWriter.self,
    .jpeg: JPEGWriter.self,
    .png: PNGWriter.self,
    .webp: WebPWriter.self,
  ].merging(traited) { $1 }

  /// Returns a writer for a format.
  ///
  /// - Throws: ``CodecError/notBuilt(_:_:)`` if this build cannot write it.
  public static func writer(
    for format: ImageFormat, options: EncodeOptions = .init()
  ) throws(CodecError) -> any ImageWriter {
    guard let type = all[format] else { throw .notBuilt(format, .writing) }
    return type.init(options)
  }
}

extension ImageFormat {
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if an image is empty, or too large for the format.
  func checkWritable(width: Int, height: Int, maximumSide: Int) throws(CodecError) {
    guard width > 0, height > 0 else { throw .encodingFailed(self, reason: "the image is empty") }
    guard max(width, height) <= maximumSide else {
      throw .encodingFailed(self, reason: "\(width)x\(height) pixels: a side can have at most \(maximumSide) pixels")
    }
  }
}
