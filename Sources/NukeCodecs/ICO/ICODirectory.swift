import Foundation

/// The list of images at the beginning of an icon or a cursor.
struct ICODirectory: Sendable {
  struct Entry: Sendable {
    let width: Int
    let height: Int
    /// The bits that the list states, or else the image itself; `nil` if it is not available.
    let bitsPerPixel: Int?
    /// The position of the image in the file.
    let range: Range<Int>
  }

  let entries: [Entry]

  /// Returns `nil` if `bytes` end before the list does.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 6 else { return nil }
    let (isCursor, count) = (bytes.littleEndian16(at: 2) == 2, bytes.littleEndian16(at: 4))
    guard bytes.count >= 6 + count * 16 else { return nil }
    entries = (0..<count).map { index in
      let start = 6 + index * 16
      // 256 does not fit into a byte, and is stored as 0.
      func side(_ offset: Int) -> Int { bytes[offset] == 0 ? 256 : Int(bytes[offset]) }
      // A cursor has its active point in place of the bits.
      let (bits, colors) = (isCursor ? 0 : bytes.littleEndian16(at: start + 6), Int(bytes[start + 2]))
      let (size, offset) = (bytes.littleEndian32(at: start + 8), bytes.littleEndian32(at: start + 12))
      // Old icons state only the number of colors, and those of some programs nothing.
      let stated = bits > 0 || colors == 0 ? bits : Int.bitWidth - (colors - 1).leadingZeroBitCount
      return Entry(
        width: side(start), height: side(start + 1),
        bitsPerPixel: stated > 0 ? stated : Self.bitsPerPixel(ofImageAt: offset, bytes),
        range: offset..<offset + size)
    }
  }

  /// Returns the bits per pixel in the header of an image; `nil` if it is not available.
  private static func bitsPerPixel(ofImageAt offset: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard offset <= bytes.count - 26 else { return nil }
    // The number of bits of a sample, and the color type, which has a bit each for color and for alpha (PNG, 11.2.1).
    if ImageFormat(sniffing: Data(bytes[offset..<offset + 16])) == .png {
      let (bits, type) = (Int(bytes[offset + 24]), bytes[offset + 25])
      return bits * (type == 3 ? 1 : (type & 2 == 0 ? 1 : 3) + (type & 4 == 0 ? 0 : 1))
    }
    return bytes.littleEndian16(at: offset + (bytes.littleEndian32(at: offset) == 12 ? 10 : 14))
  }

  /// The image to use: the largest one. Of several, the one with the most bits per pixel, and then the first.
  var best: Entry? {
    func rank(_ entry: Entry) -> (Int, Int) { (entry.width * entry.height, entry.bitsPerPixel ?? 0) }
    return entries.reduce(nil) { best, entry in
      guard let best, rank(best) >= rank(entry) else { return entry }
      return best
    }
  }

  /// `false` if the image to use may be another one when more bytes are available.
  var isDecided: Bool {
    guard let best else { return true }
    let largest = entries.filter { $0.width * $0.height == best.width * best.height }
    return largest.count == 1 || largest.allSatisfy { $0.bitsPerPixel != nil }
  }
}
