internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Writes JPEG, baseline or progressive, in YCbCr.
///
/// The format has no transparency: pixels that are not opaque are drawn over ``background``.
public struct JPEGWriter: ImageWriter {
  public static let format = ImageFormat.jpeg

  /// The quality, from 0 (smallest file) to 1 (best image); values outside are clamped.
  public var quality: CGFloat
  /// A Boolean value that indicates whether the image is written in passes of growing quality.
  public var isProgressive: Bool
  /// The resolution of the chroma components.
  public var subsampling: ChromaSubsampling
  /// A Boolean value that indicates whether Huffman tables are computed for the image. The file is a few percent
  /// smaller, and encoding takes a second pass. The default, `nil`, means `true` for images of at most 512x512 pixels.
  /// Progressive files always have their own tables.
  public var optimizesHuffmanTables: Bool?
  /// The background color for transparent pixels. Its alpha is ignored.
  public var background: Color

  /// The metadata to write: see ``ImageMetadata/keeping(_:)``.
  public var metadata = ImageMetadata()

  /// Creates a writer. The defaults are quality 0.8, baseline, 4:2:0 and a white background.
  public init(
    quality: CGFloat = 0.8, isProgressive: Bool = false, subsampling: ChromaSubsampling = .yuv420,
    background: Color = .white
  ) {
    self.quality = quality
    self.isProgressive = isProgressive
    self.subsampling = subsampling
    self.background = background
  }

  public init(_ options: EncodeOptions) {
    self.init(
      quality: options.quality, isProgressive: options.isProgressive,
      subsampling: options.chromaSubsampling ?? .yuv420)
    optimizesHuffmanTables = options.effort(in: 0...1).map { $0 == 1 }
    metadata = options.writtenMetadata
  }

  /// Up to this many pixels, the Huffman tables are optimized for the image: they are a large part of a small file, and
  /// the second pass is cheap.
  private static let pixelsWorthOptimizing = 512 * 512
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    var encoding = try encoding(width: image.pixelWidth, height: image.pixelHeight, isOpaque: image.isOpaque)
    var outcome = nuke_jpeg_outcome()
    var size = 0
    let file = image.withUnsafeBytes { pixels in
      nuke_jpeg_encode(
        &encoding, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), image.bytesPerRow, &size, &outcome)
    }
    guard let file else { throw .encodingFailed(.jpeg, reason: outcome.words) }
    return metadata.embedded(inJPEG: Data(bytesNoCopy: file, count: size, deallocator: .free))
  }

  func encoding(width: Int, height: Int, isOpaque: Bool) throws(CodecError) -> nuke_jpeg_encoding {
    try Self.format.checkWritable(width: width, height: height, maximumSide: JPEGReader.maximumSide)
    var encoding = nuke_jpeg_encoding()
    encoding.width = UInt32(width)
    encoding.height = UInt32(height)
    encoding.quality = Int32(libjpegQuality)
    encoding.progressive = isProgressive
    encoding.optimize = isProgressive || optimizesHuffmanTables ?? (width * height <= Self.pixelsWorthOptimizing)
    encoding.subsampled = subsampling == .yuv420
    encoding.opaque = isOpaque
    let (red, green, blue, _) = background.withAlphaComponent(1).premultipliedRGBA8
    encoding.background = (red, green, blue)
    return encoding
  }

  /// The quality in libjpeg's scale, 1...100.
  private var libjpegQuality: Int {
    quality.isNaN ? 80 : Int((min(max(quality, 0.01), 1) * 100).rounded())
  }
}
