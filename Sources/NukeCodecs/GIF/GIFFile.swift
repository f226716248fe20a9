import Foundation

/// Assembles the blocks of a GIF ("Graphics Interchange Format, version 89a").
struct GIFFile {
  struct ColorTable {
    /// Up to 256 colors, as pixels.
    let colors: [UInt32]
    /// The index after the last color, if the frame has one for transparent pixels.
    let transparent: UInt8?
    /// The number of bits of an index.
    let bits: Int

    /// - Parameter hasTransparent: `true` only with at most 255 colors.
    init(colors: [UInt32], hasTransparent: Bool) {
      self.colors = colors
      transparent = hasTransparent ? UInt8(colors.count) : nil
      let count = colors.count + (hasTransparent ? 1 : 0)
      bits = (1...8).first { 1 << $0 >= count } ?? 8
    }
  }

  struct Frame {
    var area: PixelRect
    /// The indices into the table, row by row.
    var indices: [UInt8]
    var transparent: UInt8?
    /// `true` if the area is cleared before the next frame.
    var clears: Bool
    /// The delay in hundredths of a second.
    var delay: Int
  }

  private var bytes: [UInt8] = []
  private var encoder = LZWEncoder()

  /// - Parameters:
  ///   - table: the colors of frames without a local color table.
  ///   - loopCount: the number of times the animation plays; 0 for forever, `nil` for a still image.
  init(width: Int, height: Int, table: ColorTable, loopCount: Int?) {
    bytes += Array("GIF89a".utf8)
    append16(width)
    append16(height)
    // A table with 8-bit samples, no background, and square pixels.
    bytes += [0xF0 | UInt8(table.bits - 1), 0, 0]
    append(table)
    // Playing once is the default. Otherwise, the file states the number of repetitions (Netscape's extension).
    if let loopCount, loopCount != 1 {
      bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      append16(loopCount == 0 ? 0 : loopCount - 1)
      bytes.append(0)
    }
  }

  /// - Parameter isShared: `true` if the frame uses the table at the beginning of the file.
  mutating func append(_ frame: Frame, table: ColorTable, isShared: Bool) {
    let disposal: UInt8 = frame.clears ? 2 : 1
    bytes += [0x21, 0xF9, 4, disposal << 2 | (frame.transparent == nil ? 0 : 1)]
    append16(frame.delay)
    bytes += [frame.transparent ?? 0, 0]

    bytes.append(0x2C)
    append16(frame.area.x)
    append16(frame.area.y)
    append16(frame.area.width)
    append16(frame.area.height)
    if isShared {
      bytes.append(0)
    } else {
      bytes.append(0x80 | UInt8(table.bits - 1))
      append(table)
    }
    // Codes have at least two bits, even if one would be sufficient.
    encoder.encode(frame.indices, bitsPerIndex: max(table.bits, 2), to: &bytes)
  }

  private mutating func append(_ table: ColorTable) {
    for color in table.colors {
      bytes += [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16 & 255)]
    }
    bytes += [UInt8](repeating: 0, count: ((1 << table.bits) - table.colors.count) * 3)
  }

  consuming func finished() -> Data { Data(bytes + [0x3B]) }

  private mutating func append16(_ value: Int) { bytes += [UInt8(value & 255), UInt8(value >> 8)] }
}
