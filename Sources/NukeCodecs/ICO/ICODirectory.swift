/// The list of images at the beginning of an icon.
struct ICODirectory: Sendable {
  struct Entry: Sendable {
    let width: Int
    let height: Int
    let bitsPerPixel: Int
    /// The position of the image in the file.
    let range: Range<Int>
  }

  let entries: [Entry]

  /// Returns `nil` if `bytes` end before the list does.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 6 else { return nil }
    let count = bytes.littleEndian16(at: 4)
    guard bytes.count >= 6 + count * 16 else { return nil }
    entries = (0..<count).map { index in
      let start = 6 + index * 16
      // 256 does not fit into a byte, and is stored as 0.
      func side(_ offset: Int) -> Int { bytes[offset] == 0 ? 256 : Int(bytes[offset]) }
      let (bits, colors) = (bytes.littleEndian16(at: start + 6), Int(bytes[start + 2]))
      let (size, offset) = (bytes.littleEndian32(at: start + 8), bytes.littleEndian32(at: start + 12))
      return Entry(
        width: side(start), height: side(start + 1),
        // Old icons state only the number of colors.
        bitsPerPixel: bits > 0 || colors == 0 ? bits : Int.bitWidth - (colors - 1).leadingZeroBitCount,
        range: offset..<offset + size)
    }
  }

  /// The image to use: the largest one. Of several, the one with the most bits per pixel, and then the first.
  var best: Entry? {
    func rank(_ entry: Entry) -> (Int, Int) { (entry.width * entry.height, entry.bitsPerPixel) }
    return entries.reduce(nil) { best, entry in
      guard let best, rank(best) >= rank(entry) else { return entry }
      return best
    }
  }
}
