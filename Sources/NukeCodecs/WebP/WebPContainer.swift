import Foundation
import NukeImaging

/// The chunk structure of a WebP file: the position of each frame's data, and how the frame is drawn. No pixels are
/// decoded.
///
/// Follows RFC 9649, section 2. Unknown chunks are skipped.
struct WebPContainer: Sendable {
  struct Frame: Sendable {
    var area: PixelRect
    /// The available range of the chunks `ALPH` and `VP8 `, or `VP8L`.
    var data: Range<Int>
    /// `true` if the file ends before the frame does.
    var isTruncated: Bool
    var isLossless: Bool
    /// `true` if the frame can have transparent pixels. A lossless frame always can: the flag in its header is only a
    /// hint.
    var hasAlpha: Bool
    /// `true` if it is blended over the canvas instead of replacing it.
    var blends = true
    var disposal = AnimationCanvas.Disposal.keep
    /// The delay in seconds.
    var delay: TimeInterval = 0
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var isAnimated = false
  /// `true` if the file states that there are transparent pixels.
  private(set) var hasAlpha = false
  /// The number of times the animation plays; 0 means forever. `nil` until the chunk with it was read.
  private(set) var loopCount: Int?
  private(set) var frames: [Frame] = []
  private(set) var profile: Range<Int>?
  private(set) var exif: Range<Int>?
  /// `true` if the data ends before the file does.
  private(set) var isTruncated = false
  private var expectsProfile = false
  private var expectsEXIF = false

  /// `true` if everything for a header is known. A profile or an orientation may still follow.
  var isHeaderComplete: Bool {
    guard width > 0 else { return false }
    guard isTruncated else { return !frames.isEmpty }
    if expectsProfile && profile == nil || expectsEXIF && exif == nil { return false }
    return !isAnimated || !frames.isEmpty
  }

  /// `true` if the transparent canvas is visible outside the known frames.
  var showsCanvas: Bool {
    guard isAnimated, let first = frames.first?.area else { return false }
    return first.width < width || first.height < height || frames.contains { $0.disposal == .clear }
  }

  /// Reads all available chunks.
  ///
  /// - Throws: ``CodecError/malformed(_:reason:offset:)`` for chunks that contradict each other, and errors for
  ///   exceeded `limits`.
  init(_ data: Data, limits: CodecLimits) throws(CodecError) {
    if data.count >= 12 { try ImageFormat.webp.checkSignature(data) }
    self = try data.reading { bytes throws(CodecError) in try WebPContainer(parsing: bytes, limits: limits) }
  }

  private init(parsing bytes: UnsafeRawBufferPointer, limits: CodecLimits) throws(CodecError) {
    guard bytes.count >= 12 else {
      isTruncated = true
      return
    }
    let declaredEnd = 8 + bytes.littleEndian32(at: 4)
    guard declaredEnd >= 12 else { throw .malformed(.webp, reason: "a file size of \(declaredEnd)", offset: 4) }
    let end = min(declaredEnd, bytes.count)
    isTruncated = declaredEnd > bytes.count

    var alphaChunk: Int?
    var chunks = WebPChunks(bytes: bytes, offset: 12, end: end)
    var isFirst = true
    while let chunk = chunks.next() {
      guard chunk.declared.upperBound <= declaredEnd else {
        throw .malformed(.webp, reason: "the chunk \(chunk.name) is longer than the file", offset: chunk.offset)
      }
      if chunk.isTruncated { isTruncated = true }
      let payload = chunk.payload
      switch chunk.name {
      case "VP8X" where isFirst:
        guard payload.count >= 10 else {
          if chunk.isTruncated { return }
          throw .malformed(.webp, reason: "the chunk VP8X has \(payload.count) bytes", offset: chunk.offset)
        }
        let flags = bytes[payload.lowerBound]
        expectsProfile = flags & 0x20 != 0
        hasAlpha = flags & 0x10 != 0
        expectsEXIF = flags & 0x08 != 0
        isAnimated = flags & 0x02 != 0
        width = bytes.littleEndian24(at: payload.lowerBound + 4) + 1
        height = bytes.littleEndian24(at: payload.lowerBound + 7) + 1
        try limits.check(.webp, width: width, height: height)
      case "VP8 ", "VP8L":
        if isAnimated || !frames.isEmpty { break }
        guard let image = try WebPBitstream(bytes, chunk: chunk) else { return }
        if isFirst { (width, height) = (image.width, image.height) }
        try limits.check(.webp, width: image.width, height: image.height)
        guard image.width == width, image.height == height else {
          throw .malformed(
            .webp, reason: "an image of \(image.width)x\(image.height) on a canvas of \(width)x\(height)",
            offset: chunk.offset)
        }
        let alphaChunk = image.isLossless ? nil : alphaChunk
        if alphaChunk != nil || image.hasAlpha { hasAlpha = true }
        frames.append(
          Frame(
            area: PixelRect(x: 0, y: 0, width: width, height: height),
            data: (alphaChunk ?? chunk.offset)..<payload.upperBound, isTruncated: chunk.isTruncated,
            isLossless: image.isLossless, hasAlpha: image.isLossless || alphaChunk != nil))
        // In the simple format, only the image is read.
        if isFirst { return }
      case _ where isFirst:
        throw .malformed(.webp, reason: "the first chunk is \(chunk.name)", offset: chunk.offset)
      case "ALPH" where !isAnimated:
        if frames.isEmpty { alphaChunk = chunk.offset }
      case "ICCP" where profile == nil && !chunk.isTruncated:
        profile = payload
      case "EXIF" where exif == nil && !chunk.isTruncated:
        exif = payload
      case "ANIM" where isAnimated && payload.count >= 6:
        loopCount = bytes.littleEndian16(at: payload.lowerBound + 4)
      case "ANMF" where isAnimated:
        guard let frame = try frame(bytes, chunk) else { return }
        frames.append(frame)
        try limits.check(.webp, frameCount: frames.count)
      default:
        break
      }
      isFirst = false
    }
    if chunks.isTruncated { isTruncated = true }
  }

  /// Returns the frame of an `ANMF` chunk; `nil` if too little of it is available to know its position.
  private func frame(_ bytes: UnsafeRawBufferPointer, _ chunk: WebPChunks.Chunk) throws(CodecError) -> Frame? {
    let start = chunk.payload.lowerBound
    guard chunk.payload.count >= 16 else {
      if chunk.isTruncated { return nil }
      throw .malformed(.webp, reason: "a frame of \(chunk.payload.count) bytes", offset: chunk.offset)
    }
    let area = PixelRect(
      x: bytes.littleEndian24(at: start) * 2, y: bytes.littleEndian24(at: start + 3) * 2,
      width: bytes.littleEndian24(at: start + 6) + 1,
      height: bytes.littleEndian24(at: start + 9) + 1)
    guard area.clipped(toWidth: width, height: height) == area else {
      throw .malformed(
        .webp,
        reason: "a frame of \(area.width)x\(area.height) at \(area.x), \(area.y) on a canvas of \(width)x\(height)",
        offset: chunk.offset)
    }
    let milliseconds = bytes.littleEndian24(at: start + 12)
    let flags = bytes[start + 15]

    var frame = Frame(
      area: area, data: start + 16..<start + 16, isTruncated: chunk.isTruncated, isLossless: false, hasAlpha: false,
      blends: flags & 2 == 0, disposal: flags & 1 == 0 ? .keep : .clear,
      delay: Animation.delay(stated: TimeInterval(milliseconds) / 1000))
    var chunks = WebPChunks(bytes: bytes, offset: start + 16, end: chunk.payload.upperBound)
    var alphaChunk: Int?
    while let inner = chunks.next() {
      switch inner.name {
      case "ALPH":
        alphaChunk = inner.offset
      case "VP8 ", "VP8L":
        frame.isLossless = inner.name == "VP8L"
        if frame.isLossless { alphaChunk = nil }
        frame.hasAlpha = frame.isLossless || alphaChunk != nil
        frame.data = (alphaChunk ?? inner.offset)..<inner.payload.upperBound
        return frame
      default:
        break
      }
    }
    return frame
  }
}

/// The header of the bitstream in a chunk.
private struct WebPBitstream {
  let width: Int
  let height: Int
  let isLossless: Bool
  let hasAlpha: Bool

  /// Returns `nil` if the data ends before the header does.
  init?(_ bytes: UnsafeRawBufferPointer, chunk: WebPChunks.Chunk) throws(CodecError) {
    let start = chunk.payload.lowerBound
    isLossless = chunk.name == "VP8L"
    guard chunk.payload.count >= (isLossless ? 5 : 10) else {
      if chunk.isTruncated { return nil }
      throw .malformed(.webp, reason: "an image of \(chunk.payload.count) bytes", offset: chunk.offset)
    }
    if isLossless {
      let bits = bytes.littleEndian32(at: start + 1)
      guard bytes[start] == 0x2F, bits >> 29 == 0 else {
        throw .malformed(.webp, reason: "the lossless image has no signature", offset: start)
      }
      width = bits & 0x3FFF + 1
      height = bits >> 14 & 0x3FFF + 1
      hasAlpha = bits >> 28 & 1 != 0
    } else {
      // A key frame (RFC 6386, 9.1).
      guard bytes[start] & 1 == 0, bytes[start + 3..<start + 6].elementsEqual([0x9D, 0x01, 0x2A]) else {
        throw .malformed(.webp, reason: "the lossy image has no start code", offset: start)
      }
      width = bytes.littleEndian16(at: start + 6) & 0x3FFF
      height = bytes.littleEndian16(at: start + 8) & 0x3FFF
      hasAlpha = false
    }
  }
}

/// Iterates over the chunks of a RIFF list.
private struct WebPChunks {
  struct Chunk {
    var name: String
    var offset: Int
    /// The range of the available payload.
    var payload: Range<Int>
    /// The range of the payload according to its header.
    var declared: Range<Int>
    var isTruncated: Bool { payload != declared }
  }

  let bytes: UnsafeRawBufferPointer
  var offset: Int
  let end: Int
  /// `true` if the list ends in the middle of a chunk's header.
  var isTruncated: Bool { offset < end }

  mutating func next() -> Chunk? {
    guard offset + 8 <= end else { return nil }
    let size = bytes.littleEndian32(at: offset + 4)
    let start = offset + 8
    defer { offset = start + size + size & 1 }
    return Chunk(
      name: String(decoding: bytes[offset..<offset + 4], as: UTF8.self), offset: offset,
      payload: start..<min(start + size, end), declared: start..<start + size)
  }
}
