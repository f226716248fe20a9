internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Reads PNG: every color type and depth, transparency, interlace, 16 bits rounded to 8.
///
/// Images of at most 8 bits a sample with nothing wrong in them are decoded by code of our own, several times as fast as
/// by libpng, which decodes all others. Which of the two it was makes no difference to pixels or errors.
///
/// Code points (`cICP`), embedded profiles (`iCCP`) and `gAMA` with `cHRM` are converted to sRGB, from all bits of the
/// samples; PQ and HLG are brought into its range, by the peak that `cLLI` or `mDCV` states. The orientation in `eXIf` is
/// applied.
///
/// An animated PNG gives its default image, which need not be one of its frames: then it has an animation, even of one
/// frame. Where the chunks of the animation break
/// the rules of the specification, the image is a still one. Delays of 10 milliseconds or less are a tenth of a second,
/// as in browsers.
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
  private let deepColors: PNGDeepColors?
  private let frames: PNGAnimation?

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    try Self.format.checkSignature(data)
    let preamble = try PNGPreamble(file: data)
    profile = preamble.profile
    deepColors = preamble.deepColors
    self.data = data
    try limits.check(.png, width: preamble.header.storedWidth, height: preamble.header.storedHeight)
    frames = try preamble.frames(in: data, limits: limits)
    header = preamble.header(of: frames)
  }

  /// A reader of a frame of an animation, as a PNG of its own whose colors are those of `reader`.
  init(frame: Data, width: Int, height: Int, of reader: PNGReader) {
    var header = reader.header
    (header.storedWidth, header.storedHeight) = (width, height)
    self.header = header
    profile = reader.profile
    deepColors = reader.deepColors
    frames = nil
    data = frame
  }

  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard data.count >= PNGChunks.signatureLength else { return nil }
    try format.checkSignature(data)
    guard let preamble = try PNGPreamble(prefix: data) else { return nil }
    let frames = try preamble.frames(in: data, limits: .unlimited)
    return frames?.isCut == true ? preamble.header : preamble.header(of: frames)
  }

  public func animation() throws(CodecError) -> Animation? {
    guard let frames, let first = frames.frames.first, frames.frames.count > 1 || !first.isDefaultImage else {
      return nil
    }
    // A frame is decoded on its own before it is drawn, which takes as much as half a canvas of each of two.
    return Animation(
      pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount,
      delays: frames.frames.map(\.delay),
      canvasByteCount: header.storedWidth * header.storedHeight * 6 + workingByteCount
    ) { [self] in PNGFrameSource(data, reader: self, animation: frames) }
  }

  public var metadata: ImageMetadata { ImageMetadata(png: data, hasColorProfile: header.profileName != nil) }

  /// Rows of 16 bits a channel that are in memory at a time: all of an interlaced image, 64 KB of another one.
  private var deepRowCount: Int {
    header.isProgressive ? header.storedHeight : min(header.storedHeight, max(1, 65_536 / (header.storedWidth * 8)))
  }

  /// The pixels of 16 bits a channel, where colors are converted from those.
  public var workingByteCount: Int { deepColors == nil ? 0 : header.storedWidth * deepRowCount * 8 }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let (width, height) = (header.storedWidth, header.storedHeight)
    let buffer = try PixelBuffer.allocate(.png, width: width, height: height)
    let deep = try deepColors.map { colors throws(CodecError) in
      (colors, try PixelBuffer.allocateDeep(.png, width: width, height: deepRowCount))
    }
    let rows = RowFinisher(buffer: buffer, profile: profile, deep: deep, hasAlpha: header.hasAlpha, options: options)
    let finish: nuke_png_rows = { context, first, count in
      guard let context else { return 0 }
      let rows = Unmanaged<RowFinisher>.fromOpaque(context).takeUnretainedValue()
      return rows.finish(first: Int(first), count: Int(count)) ? 1 : 0
    }
    let change: nuke_png_colors = { context, colors, count in
      guard let context else { return }
      Unmanaged<RowFinisher>.fromOpaque(context).takeUnretainedValue().change(colors, count: Int(count))
    }
    let result = data.withUnsafeBytes { bytes in
      let (start, context) = (
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Unmanaged.passUnretained(rows).toOpaque()
      )
      guard let (_, held) = deep else {
        return nuke_png_decode_colors(
          start, bytes.count, UInt32(width), UInt32(height), buffer.base, rows.changesColors ? change : nil, finish,
          context)
      }
      return nuke_png_decode_deep(
        start, bytes.count, UInt32(width), UInt32(height), held.components, UInt32(held.height), finish, context)
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
  /// Rows of 16 bits a channel, which are decoded instead of those of `buffer`.
  private let deep: (colors: PNGDeepColors, rows: PixelBuffer)?
  private let hasAlpha: Bool
  private let isCancelled: (@Sendable () -> Bool)?
  /// `true` if every alpha so far was 255.
  private(set) var isOpaque = true
  /// Where rows come with their final colors: `true` if none of those has an alpha below 255. `nil` for all other rows.
  private var finalColorsAreOpaque: Bool?

  init(
    buffer: PixelBuffer, profile: ColorProfile?, deep: (PNGDeepColors, PixelBuffer)?, hasAlpha: Bool,
    options: DecodeOptions
  ) {
    self.buffer = buffer
    self.profile = profile
    self.deep = deep
    self.hasAlpha = hasAlpha
    isCancelled = options.isCancelled
  }

  /// `true` if rows do not simply stay as they are.
  var changesColors: Bool { profile != nil || hasAlpha }

  /// Makes what rows consist of final, so that they need not be changed; without `colors`, rows will come as they are.
  func change(_ colors: UnsafeMutablePointer<UInt8>?, count: Int) {
    guard let colors else {
      finalColorsAreOpaque = nil
      return
    }
    profile?.convertToSRGB(colors, pixelCount: count, isOpaque: !hasAlpha)
    finalColorsAreOpaque = PixelKernels.best.premultiply(colors, count: count)
  }

  /// False where decoding is to stop.
  func finish(first: Int, count: Int) -> Bool {
    if isCancelled?() == true { return false }
    guard count > 0 else { return true }
    let (pixels, pixelCount) = (buffer.row(first), buffer.width * count)
    if let finalColorsAreOpaque {
      // Not every color of a palette need be in the image.
      if isOpaque, !finalColorsAreOpaque { isOpaque = PixelKernels.best.isOpaque(pixels, count: pixelCount) }
      return true
    }
    if let (colors, rows) = deep {
      colors.convert(rows.components + first % rows.height * buffer.width * 4, to: pixels, pixelCount: pixelCount)
    } else {
      profile?.convertToSRGB(pixels, pixelCount: pixelCount, isOpaque: !hasAlpha)
    }
    if hasAlpha, !PixelKernels.best.premultiply(pixels, count: pixelCount) { isOpaque = false }
    return true
  }
}

extension nuke_png_result {
  /// libpng's words.
  var words: String { String(characters: message) }
}
