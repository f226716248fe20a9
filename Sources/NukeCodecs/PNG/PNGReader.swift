internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Reads PNG: every color type and depth, transparency, interlace, 16 bits rounded to 8.
///
/// Our own decoder reads valid images, several times as fast as libpng, which reads all others, and those whose colors
/// are converted from 16 bits. The pixels and errors are the same.
///
/// Code points (`cICP`), embedded profiles (`iCCP`) and `gAMA` with `cHRM` are converted to sRGB from the full bit
/// depth. PQ and HLG are tone mapped, with the peak luminance from `cLLI` or `mDCV`. The orientation in `eXIf` is
/// applied.
///
/// An animated PNG is decoded to its default image. If the default image is not one of the frames, there is an
/// animation even of a single frame. If the chunks of the animation violate the specification, the image is a still
/// image. Delays of 10 ms or less become 100 ms, as in browsers.
///
/// Ancillary chunks with a wrong checksum are ignored, and so is everything after the last row, so a file without its
/// `IEND` is read. Image data that ends early is ``CodecError/truncated(_:byteCount:)``. A critical chunk with a
/// wrong checksum is ``CodecError/malformed(_:reason:offset:)`` with libpng's message and the offset at which libpng
/// stopped.
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

  /// Creates a reader for a frame of an animation, stored as a separate PNG with the colors of `reader`.
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
    return frames?.isTruncated == true ? preamble.header : preamble.header(of: frames)
  }

  public func animation() throws(CodecError) -> Animation? {
    guard let frames, let first = frames.frames.first, frames.frames.count > 1 || !first.isDefaultImage else {
      return nil
    }
    try DecodeWork.checkFrames(header, count: frames.frames.count)
    // A frame is decoded separately before it is drawn. Its memory is counted as half a canvas for each of the two
    // canvases.
    return Animation(
      pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount,
      delays: frames.frames.map(\.delay),
      canvasByteCount: header.storedWidth * header.storedHeight * 6 + workingByteCount
    ) { [self] in PNGFrameSource(data, reader: self, animation: frames) }
  }

  public var metadata: ImageMetadata { ImageMetadata(png: data, hasColorProfile: header.profileName != nil) }

  /// The number of rows of 16 bits a channel in memory: all of an interlaced image; otherwise, 64 KB.
  private var deepRowCount: Int {
    header.isProgressive ? header.storedHeight : min(header.storedHeight, max(1, 65_536 / (header.storedWidth * 8)))
  }

  /// The memory for pixels of 16 bits a channel, if colors are converted from these.
  public var workingByteCount: Int { deepColors == nil ? 0 : header.storedWidth * deepRowCount * 8 }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let (width, height) = (header.storedWidth, header.storedHeight)
    let buffer = try PixelBuffer.allocate(.png, width: width, height: height)
    let isOpaque = try decode(to: buffer, options, nil)
    return try buffer.upright(options.orientation ?? header.orientation, isOpaque: isOpaque, .png)
  }

  /// Decodes all rows into `buffer`, or with a sink in bands of which `buffer` has memory for one.
  ///
  /// - Returns: `true` if every pixel is opaque.
  private func decode(
    to buffer: PixelBuffer, _ options: DecodeOptions, _ sink: (any RowSink)?
  ) throws(CodecError) -> Bool {
    let (width, height) = (header.storedWidth, header.storedHeight)
    let deep = try deepColors.map { colors throws(CodecError) in
      (colors, try PixelBuffer.allocateDeep(.png, width: width, height: deepRowCount))
    }
    let rows = RowFinisher(
      buffer: buffer, profile: profile, deep: deep, hasAlpha: header.hasAlpha, options: options,
      relay: sink.map { RowRelay($0, options, .png) })
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
        let decode = sink == nil ? nuke_png_decode_colors : nuke_png_decode_bands
        return decode(
          start, bytes.count, UInt32(width), UInt32(height), buffer.base, rows.changesColors ? change : nil, finish,
          context)
      }
      return nuke_png_decode_deep(
        start, bytes.count, UInt32(width), UInt32(height), held.components, UInt32(held.height), finish, context)
    }
    try withExtendedLifetime(rows) { () throws(CodecError) in
      if let error = rows.relay?.error { throw error }
      try check(result)
    }
    return rows.isOpaque
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

extension PNGReader: RowReader {
  package var decodesRows: Bool { !header.isProgressive }

  package var rowContents: RowContents {
    RowContents(
      isGray: header.colorModel == .gray && profile?.model ?? .gray == .gray, isOpaque: !header.hasAlpha,
      hasFewColors: header.colorModel == .indexed || header.bitsPerComponent < 8)
  }

  package var bandRowCount: Int { Int(nuke_png_band_rows(UInt32(header.storedWidth))) }

  package func rowByteCount(scaleDenominator: Int) -> Int {
    // The band, and at most 16 filtered rows of eight bytes a pixel, the window and the tables of the inflater.
    header.storedWidth * (bandRowCount * 4 + 16 * 8) + workingByteCount + (1 << 20)
  }

  package func decodeRows(_ options: DecodeOptions, to sink: any RowSink) throws(CodecError) -> Bool {
    try decode(to: try .allocate(.png, width: header.storedWidth, height: bandRowCount), options, sink)
  }
}

/// Converts straight rows to rows of a bitmap while they are in the CPU cache.
private final class RowFinisher {
  private let buffer: PixelBuffer
  private let profile: ColorProfile?
  /// The rows of 16 bits a channel that are decoded instead of the rows of `buffer`.
  private let deep: (colors: PNGDeepColors, rows: PixelBuffer)?
  private let hasAlpha: Bool
  private let isCancelled: (@Sendable () -> Bool)?
  /// The receiver of bands; `nil` if `buffer` holds all rows.
  private(set) var relay: RowRelay?
  /// `true` if every alpha so far was 255.
  private(set) var isOpaque = true
  /// `true` if rows have their final colors and none of them has an alpha below 255; `nil` if rows must be converted.
  private var finalColorsAreOpaque: Bool?

  init(
    buffer: PixelBuffer, profile: ColorProfile?, deep: (PNGDeepColors, PixelBuffer)?, hasAlpha: Bool,
    options: DecodeOptions, relay: RowRelay?
  ) {
    self.buffer = buffer
    self.profile = profile
    self.deep = deep
    self.hasAlpha = hasAlpha
    isCancelled = options.isCancelled
    self.relay = relay
  }

  /// `true` if rows must be converted.
  var changesColors: Bool { profile != nil || hasAlpha }

  /// Converts the palette or gray levels, so that rows need no conversion. Without `colors`, the rows are converted.
  func change(_ colors: UnsafeMutablePointer<UInt8>?, count: Int) {
    guard let colors else {
      finalColorsAreOpaque = nil
      return
    }
    profile?.convertToSRGB(colors, pixelCount: count, isOpaque: !hasAlpha)
    finalColorsAreOpaque = PixelKernels.best.premultiply(colors, count: count)
  }

  /// Returns `false` to stop decoding.
  func finish(first: Int, count: Int) -> Bool {
    if isCancelled?() == true { return false }
    guard count > 0 else { return true }
    guard relay != nil else {
      convert(first: first, count: count, to: buffer.row(first))
      return true
    }
    return relay?.relay(buffer, first: first, count: count) { convert(first: first, count: count, to: buffer.base) }
      ?? false
  }

  private func convert(first: Int, count: Int, to pixels: UnsafeMutablePointer<UInt8>) {
    let pixelCount = buffer.width * count
    if let finalColorsAreOpaque {
      // The image may not contain every color of its palette.
      if isOpaque, !finalColorsAreOpaque { isOpaque = PixelKernels.best.isOpaque(pixels, count: pixelCount) }
      return
    }
    if let (colors, rows) = deep {
      colors.convert(rows.components + first % rows.height * buffer.width * 4, to: pixels, pixelCount: pixelCount)
    } else {
      profile?.convertToSRGB(pixels, pixelCount: pixelCount, isOpaque: !hasAlpha)
    }
    if hasAlpha, !PixelKernels.best.premultiply(pixels, count: pixelCount) { isOpaque = false }
  }
}

extension nuke_png_result {
  /// The message of libpng.
  var words: String { String(characters: message) }
}
