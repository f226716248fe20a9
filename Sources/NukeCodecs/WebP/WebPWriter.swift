internal import CNukeWebP
public import Foundation
public import NukeImaging

/// Writes still and animated WebP images with libwebp, including alpha.
public struct WebPWriter: ImageWriter {
  public static var format: ImageFormat { .webp }

  /// The quality on the scale of libwebp, from 0 (smallest file) to 1 (best image). Ignored if ``isLossless`` is `true`.
  public var quality: Double
  /// A Boolean value that indicates whether the file contains every pixel exactly.
  public var isLossless: Bool
  /// The effort, from 0 (fastest) to 6 (smallest file).
  public var effort: Int
  /// The metadata to write, unchanged: see ``ImageMetadata/keeping(_:)``.
  public var metadata = ImageMetadata()

  /// Creates a writer. Values outside their range are clamped.
  public init(quality: Double = 0.8, isLossless: Bool = false, effort: Int = 4) {
    self.quality = quality
    self.isLossless = isLossless
    self.effort = effort
  }

  public init(_ options: EncodeOptions) {
    self.init(
      quality: QualityScale.quality(of: .webp, likeJPEG: options.quality), isLossless: options.isLossless,
      effort: options.effort(in: 0...6) ?? 4)
    metadata = options.writtenMetadata
  }

  /// Encodes an image with straight colors in sRGB, without a profile.
  ///
  /// A lossless file decodes to the same pixels. A side can have at most 16,383 pixels.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)``, ``CodecError/outOfMemory(_:byteCount:)``.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    guard let pixels = image.buffer else { throw .encodingFailed(.webp, reason: "the image is empty") }
    try Self.format.checkWritable(width: pixels.width, height: pixels.height, maximumSide: Self.maximumSide)
    var config = try configuration()
    let encoding = try WebPEncoding(usesARGB: isLossless)
    try encoding.load(pixels, isOpaque: image.isOpaque)
    return metadata.embedded(
      inWebP: try encoding.run(&config), width: pixels.width, height: pixels.height, hasAlpha: !image.isOpaque)
  }

  static let maximumSide = Int(WEBP_MAX_DIMENSION)

  /// The settings for libwebp.
  func configuration() throws(CodecError) -> WebPConfig {
    var config = WebPConfig()
    guard WebPConfigInit(&config) != 0 else {
      throw .encodingFailed(.webp, reason: "this version of libwebp is not supported")
    }
    config.method = Int32(min(max(effort, 0), 6))
    if isLossless {
      // For lossless files, this value is effort too; it is libwebp's default.
      config.lossless = 1
      config.quality = 75
      config.exact = 1
    } else {
      config.quality = quality.isNaN ? 80 : Float(min(max(quality, 0), 1) * 100)
    }
    return config
  }
}

/// The encoding of one image with libwebp.
final class WebPEncoding {
  let picture: UnsafeMutablePointer<WebPPicture>
  private let output: UnsafeMutablePointer<WebPMemoryWriter>

  init(usesARGB: Bool) throws(CodecError) {
    picture = .allocate(capacity: 1)
    picture.initialize(to: WebPPicture())
    output = .allocate(capacity: 1)
    output.initialize(to: WebPMemoryWriter())
    WebPMemoryWriterInit(output)
    guard WebPPictureInit(picture) != 0 else {
      throw .encodingFailed(.webp, reason: "this version of libwebp is not supported")
    }
    picture.pointee.use_argb = usesARGB ? 1 : 0
    picture.pointee.writer = WebPMemoryWrite
    picture.pointee.custom_ptr = UnsafeMutableRawPointer(output)
  }

  deinit {
    WebPPictureFree(picture)
    picture.deallocate()
    WebPMemoryWriterClear(output)
    output.deallocate()
  }

  /// Passes the pixels to libwebp, which copies them.
  func load(_ pixels: PixelBuffer, isOpaque: Bool) throws(CodecError) {
    picture.pointee.width = Int32(pixels.width)
    picture.pointee.height = Int32(pixels.height)
    let load = isOpaque ? WebPPictureImportRGBX : WebPPictureImportRGBA
    let straight = try pixels.straight(isOpaque: isOpaque, .webp)
    let isLoaded = withExtendedLifetime(straight) { load(picture, straight.base, Int32(straight.bytesPerRow)) != 0 }
    guard isLoaded else { throw failure(byteCount: pixels.byteCount) }
  }

  func run(_ config: inout WebPConfig) throws(CodecError) -> Data {
    guard WebPEncode(&config, picture) != 0, let bytes = output.pointee.mem else { throw failure(byteCount: 0) }
    return Data(bytes: bytes, count: output.pointee.size)
  }

  private func failure(byteCount: Int) -> CodecError {
    switch picture.pointee.error_code {
    case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
      .outOfMemory(.webp, byteCount: byteCount)
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW, VP8_ENC_ERROR_FILE_TOO_BIG:
      .encodingFailed(.webp, reason: "the file would be too large for the format")
    default:
      .encodingFailed(.webp, reason: "libwebp failed with error \(picture.pointee.error_code.rawValue)")
    }
  }
}
