import Foundation
import NukeImaging

/// The block structure of a GIF: the position of each frame's data, and how the frame is drawn. No pixels are decoded.
///
/// Follows "Graphics Interchange Format, version 89a", and browsers for files that violate it.
struct GIFStructure: Sendable {
  struct Frame: Sendable {
    var area: PixelRect
    var isInterlaced: Bool
    /// The range of the colors, three bytes each; `nil` if there are none for this frame.
    var colors: Range<Int>?
    var transparentIndex: UInt8?
    var disposal: AnimationCanvas.Disposal
    /// The delay in seconds.
    var delay: TimeInterval
    /// The offset of the minimum code size, which precedes the data blocks. It may be outside the data.
    var dataOffset: Int
  }

  /// Returns the number of rows of a frame that are decompressed. Those after the last visible one are not, unless the
  /// frame is interlaced.
  func unpackedRowCount(_ frame: Frame) -> Int {
    frame.isInterlaced ? frame.area.height : frame.area.clipped(toWidth: width, height: height).height
  }

  func unpackedPixelCount(_ frame: Frame) -> Int { frame.area.width * unpackedRowCount(frame) }

  /// The reason why no more blocks were read.
  enum StopReason {
    /// The trailer was read, or invalid data after complete frames.
    case finished
    /// The data ends in the middle of a block.
    case cut
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var frames: [Frame] = []
  /// The number of times the animation plays; 0 means forever.
  private(set) var loopCount = 1
  private(set) var stopReason = StopReason.cut

  /// `true` if a frame leaves pixels of the canvas unchanged.
  var hasAlpha: Bool {
    guard let first = frames.first?.area else { return true }
    let coversCanvas = first.x == 0 && first.y == 0 && first.width >= width && first.height >= height
    return !coversCanvas || frames.contains { $0.transparentIndex != nil || $0.disposal == .clear }
  }

  /// Reads all available blocks.
  ///
  /// - Throws: ``CodecError/malformed(_:reason:offset:)`` if there is invalid data before the first frame,
  ///   ``CodecError/tooManyFrames(_:count:limit:)``, ``CodecError/tooLarge(_:width:height:limit:)``.
  init(_ data: Data, limits: CodecLimits) throws(CodecError) {
    if data.count >= 6 { try ImageFormat.gif.checkSignature(data) }
    self = try data.reading { bytes throws(CodecError) in try GIFStructure(parsing: bytes, limits: limits) }
  }

  private init(parsing bytes: UnsafeRawBufferPointer, limits: CodecLimits) throws(CodecError) {
    var cursor = GIFCursor(bytes: bytes, offset: 6)
    guard let screenWidth = cursor.uint16(), let screenHeight = cursor.uint16(), let flags = cursor.uint8() else {
      return
    }
    cursor.offset += 2
    (width, height) = (screenWidth, screenHeight)
    var globalColors: Range<Int>?
    if flags & 0x80 != 0 { globalColors = cursor.skip(3 << (Int(flags & 7) + 1)) }

    var control = GraphicControl()
    while let introducer = cursor.uint8() {
      switch introducer {
      case 0x2C:
        guard let frame = Self.frame(&cursor, globalColors: globalColors, control: control) else { return }
        try append(frame, limits: limits)
        control = GraphicControl()
        cursor.offset += 1
        guard cursor.skipBlocks() else { return }
      case 0x21:
        guard let label = cursor.uint8() else { return }
        switch label {
        case 0xF9:
          guard let block = cursor.block() else { return }
          if block.count >= 4 { control = GraphicControl(bytes, at: block.lowerBound) }
        case 0xFF:
          guard let name = cursor.block() else { return }
          if ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(where: { bytes[name].elementsEqual($0.utf8) }) {
            guard let block = cursor.block() else { return }
            // The file states the number of repetitions, so one repetition means playing twice.
            if block.count >= 3, bytes[block.lowerBound] & 7 == 1 {
              let repeats = bytes.littleEndian16(at: block.lowerBound + 1)
              loopCount = repeats == 0 ? 0 : repeats + 1
            }
            if block.isEmpty { continue }
          } else if name.isEmpty {
            continue
          }
        default:
          break
        }
        guard cursor.skipBlocks() else { return }
      case 0x00:
        // Some encoders end a block twice.
        continue
      default:
        guard introducer == 0x3B || !frames.isEmpty else {
          throw .malformed(.gif, reason: "unknown block type \(introducer)", offset: cursor.offset - 1)
        }
        stopReason = .finished
        return
      }
    }
  }

  private mutating func append(_ frame: Frame, limits: CodecLimits) throws(CodecError) {
    if frames.isEmpty {
      // A screen too small for the first frame, often 0x0, is enlarged to contain it.
      width = max(width, frame.area.x + frame.area.width)
      height = max(height, frame.area.y + frame.area.height)
      try limits.check(.gif, width: width, height: height)
    }
    frames.append(frame)
    try limits.check(.gif, frameCount: frames.count)
  }

  private static func frame(
    _ cursor: inout GIFCursor, globalColors: Range<Int>?, control: GraphicControl
  ) -> Frame? {
    guard
      let x = cursor.uint16(), let y = cursor.uint16(), let width = cursor.uint16(), let height = cursor.uint16(),
      let flags = cursor.uint8()
    else { return nil }
    var colors = globalColors
    if flags & 0x80 != 0 { colors = cursor.skip(3 << (Int(flags & 7) + 1)) }
    return Frame(
      area: PixelRect(x: x, y: y, width: width, height: height), isInterlaced: flags & 0x40 != 0, colors: colors,
      transparentIndex: control.transparentIndex, disposal: control.disposal, delay: control.delay,
      dataOffset: cursor.offset)
  }
}

extension GIFStructure {
  /// The graphic control extension of a frame.
  struct GraphicControl {
    var disposal = AnimationCanvas.Disposal.keep
    var transparentIndex: UInt8?
    var delay = GIFStructure.delay(hundredths: 0)

    init() {}

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      let flags = bytes[offset]
      disposal =
        switch flags >> 2 & 7 {
        case 2: .clear
        // Some encoders write 4 instead of 3.
        case 3, 4: .restorePrevious
        default: .keep
        }
      if flags & 1 != 0 { transparentIndex = bytes[offset + 3] }
      delay = GIFStructure.delay(hundredths: bytes.littleEndian16(at: offset + 1))
    }
  }

  /// Returns the delay of a frame in seconds.
  static func delay(hundredths: Int) -> TimeInterval { Animation.delay(stated: TimeInterval(hundredths) / 100) }
}

/// A position in the bytes of a GIF.
struct GIFCursor {
  let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte. It may be outside the data.
  var offset: Int

  mutating func uint8() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func uint16() -> Int? {
    guard offset + 2 <= bytes.count else { return nil }
    defer { offset += 2 }
    return bytes.littleEndian16(at: offset)
  }

  mutating func skip(_ count: Int) -> Range<Int> {
    defer { offset += count }
    return offset..<offset + count
  }

  /// Returns the next data block, which is empty at the end of a series; `nil` if the data is truncated.
  mutating func block() -> Range<Int>? {
    guard offset < bytes.count, offset + 1 + Int(bytes[offset]) <= bytes.count else { return nil }
    let count = Int(bytes[offset])
    defer { offset += 1 + count }
    return offset + 1..<offset + 1 + count
  }

  /// Skips a series of data blocks. Returns `false` if the data ends first.
  mutating func skipBlocks() -> Bool {
    while let block = block() {
      if block.isEmpty { return true }
    }
    return false
  }
}
