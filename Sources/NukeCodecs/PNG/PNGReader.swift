internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Reads PNG: every color type and depth, transparency, interlace, 16 bits scaled down to 8.
///
/// Whole images of 8 bits, gray or true color and not interlaced, are inflated and unfiltered by code of our own, about
/// four times as fast as libpng, which reads all others. Which of the two it was makes no difference to pixels or
/// errors.
///
/// Embedded profiles (`iCCP`) and `gAMA` with `cHRM` are converted to sRGB; the orientation in `eXIf` is applied. An
/// animated PNG gives its default image.
///
/// What counts is the pixels: an ancillary chunk with a wrong checksum is passed over, and nothing behind the last row
/// is looked at, so that a file without its `IEND` is read. Image data that ends early is
/// ``CodecError/truncated(_:byteCount:)``; a critical chunk with a wrong checksum is
/// ``CodecError/malformed(_:reason:offset:)`` in libpng's words, with the offset where libpng stopped.
public struct PNGReader: ImageReader {
  public static let format = ImageFormat.png

  public let header: ImageHeader
  private let data: Data
  private let profile: ColorProfile?

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    try Self.format.checkSignature(data)
    let preamble = try PNGPreamble(file: data)
    header = preamble.header
    profile = preamble.profile
    self.data = data
    try limits.check(.png, width: header.storedWidth, height: header.storedHeight)
  }

  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard data.count >= PNGChunks.signatureLength else { return nil }
    try format.checkSignature(data)
    return try PNGPreamble(prefix: data)?.header
  }

  public var metadata: ImageMetadata { ImageMetadata(png: data, hasColorProfile: header.profileName != nil) }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let (width, height) = (header.storedWidth, header.storedHeight)
    let buffer = try PixelBuffer.allocate(.png, width: width, height: height)
    let rows = RowFinisher(buffer: buffer, profile: profile, hasAlpha: header.hasAlpha, options: options)
    let result = data.withUnsafeBytes { bytes in
      nuke_png_decode(
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, UInt32(width), UInt32(height), buffer.base,
        { context, first, count in
          guard let context else { return 0 }
          let rows = Unmanaged<RowFinisher>.fromOpaque(context).takeUnretainedValue()
          return rows.finish(first: Int(first), count: Int(count)) ? 1 : 0
        }, Unmanaged.passUnretained(rows).toOpaque())
    }
    try withExtendedLifetime(rows) { () throws(CodecError) in try check(result) }
    return try buffer.upright(options.orientation ?? header.orientation, isOpaque: rows.isOpaque, .png)
  }

  private func check(_ result: nuke_png_result) throws(CodecError) {
    switch result.status {
    case NUKE_PNG_OK: return
    case NUKE_PNG_TRUNCATED: throw .truncated(.png, byteCount: data.count)
    case NUKE_PNG_STOPPED: throw .cancelled(.png)
    case NUKE_PNG_NO_MEMORY: throw .outOfMemory(.png, byteCount: header.storedWidth * header.storedHeight * 4)
    default: throw .malformed(.png, reason: result.words, offset: result.offset)
    }
  }
}

/// Turns straight rows into rows of a bitmap, while they are still in the processor's cache.
private final class RowFinisher {
  private let buffer: PixelBuffer
  private let profile: ColorProfile?
  private let hasAlpha: Bool
  private let isCancelled: (@Sendable () -> Bool)?
  /// `true` if every alpha so far was 255.
  private(set) var isOpaque = true

  init(buffer: PixelBuffer, profile: ColorProfile?, hasAlpha: Bool, options: DecodeOptions) {
    self.buffer = buffer
    self.profile = profile
    self.hasAlpha = hasAlpha
    isCancelled = options.isCancelled
  }

  /// False where decoding is to stop.
  func finish(first: Int, count: Int) -> Bool {
    if isCancelled?() == true { return false }
    guard count > 0 else { return true }
    let (pixels, pixelCount) = (buffer.row(first), buffer.width * count)
    profile?.convertToSRGB(pixels, pixelCount: pixelCount, isOpaque: !hasAlpha)
    if hasAlpha, !PixelKernels.best.premultiply(pixels, count: pixelCount) { isOpaque = false }
    return true
  }
}

extension nuke_png_result {
  /// libpng's words.
  var words: String { String(characters: message) }
}
