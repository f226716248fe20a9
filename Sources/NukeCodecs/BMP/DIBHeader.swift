/// The DIB header of BMP files and of icons that are not PNG.
///
/// Reads all Windows headers (`BITMAPCOREHEADER` to `BITMAPV5HEADER`), and headers of OS/2 if they have the same
/// layout.
struct DIBHeader: Sendable {
  enum Compression: Sendable {
    case none
    /// Run-length encoding, as RLE4 or RLE8.
    case runs
  }

  /// The kind of file that contains the header.
  enum Container: Sendable {
    case bitmap
    /// `true` for an icon: its height includes the mask, and the fourth byte of a pixel is alpha.
    case icon

    var format: ImageFormat { self == .bitmap ? .bmp : .ico }
  }

  let width: Int
  let height: Int
  /// `true` if the first stored row is the top row.
  let isTopDown: Bool
  let bitsPerPixel: Int
  let compression: Compression
  /// The channel masks of 16-bit and 32-bit pixels, and of those with 24 bits if the file states any; `nil` for other
  /// depths.
  let masks: DIBMasks?
  /// The byte range of the color table. Only pixels with up to 8 bits use it.
  let palette: Range<Int>
  /// The size of an entry of the color table: 3 or 4 bytes.
  let paletteEntrySize: Int
  let saysSRGB: Bool
  /// The byte range of the embedded ICC profile; `nil` if there is none.
  let profile: Range<Int>?

  var isIndexed: Bool { bitsPerPixel <= 8 }
  var hasAlpha: Bool { masks?.alpha.isEmpty == false }

  /// The number of bytes in a row, without the padding to a multiple of four.
  var rowByteCount: Int { (width * bitsPerPixel + 7) / 8 }
  /// The number of bytes per row, including padding.
  var bytesPerRow: Int { (width * bitsPerPixel + 31) / 32 * 4 }
  /// The number of bytes of all rows without compression. The padding of the last one may be missing.
  var byteCount: Int { bytesPerRow * (height - 1) + rowByteCount }

  /// Parses the header at `offset`. Returns `nil` if the header is incomplete in `bytes`.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, in container: Container) throws(CodecError) {
    let format = container.format
    func malformed(_ reason: String) -> CodecError { .malformed(format, reason: reason, offset: offset) }

    guard bytes.count - offset >= 4 else { return nil }
    let size = bytes.littleEndian32(at: offset)
    // 16 to 64 are OS/2's, whose header may end after any field; 40, 52 and 56 are also Windows'.
    guard size == 12 || (16...64).contains(size) || size == 108 || size == 124 else {
      throw malformed("a header of \(size) bytes")
    }
    guard bytes.count - offset >= size else { return nil }
    func field(_ position: Int) -> Int { position + 4 <= size ? bytes.littleEndian32(at: offset + position) : 0 }

    let isCore = size == 12
    var height: Int
    if isCore {
      width = bytes.littleEndian16(at: offset + 4)
      height = bytes.littleEndian16(at: offset + 6)
      bitsPerPixel = bytes.littleEndian16(at: offset + 10)
    } else {
      width = Int(Int32(truncatingIfNeeded: field(4)))
      height = Int(Int32(truncatingIfNeeded: field(8)))
      bitsPerPixel = bytes.littleEndian16(at: offset + 14)
    }
    isTopDown = height < 0
    height = abs(height)
    self.height = container == .icon ? height / 2 : height
    // A negative width, or none.
    try CodecLimits.unlimited.check(format, width: width, height: self.height)
    let isOS2 = size <= 64 && ![40, 52, 56].contains(size)
    // The number of bits per pixel is 0 in this case. In OS/2's variant, the number means runs of colors.
    guard field(16) != 4 || isOS2 else { throw .unsupported(format, feature: "an embedded JPEG") }
    guard field(16) != 5 else { throw .unsupported(format, feature: "an embedded PNG") }
    guard [1, 4, 8, 16, 24, 32].contains(bitsPerPixel) else {
      throw .unsupported(format, feature: "\(bitsPerPixel) bits per pixel")
    }

    // From byte 40 on, the header contains masks, except in OS/2's variant.
    let hasMasks = size >= 52 && size != 64
    var end = offset + size
    switch (field(16), bitsPerPixel) {
    case (0, 16):
      compression = .none
      masks = .fiveBits
    case (0, 32):
      compression = .none
      masks = container == .icon ? .bytesWithAlpha : .bytes
    case (0, _), (1, 8), (2, 4), (4, 24):
      compression = field(16) == 0 ? .none : .runs
      masks = nil
    case (3, 16), (3, 24), (3, 32), (6, 16), (6, 24), (6, 32):
      guard size != 64 else { throw .unsupported(format, feature: "the Huffman coding of OS/2") }
      compression = .none
      let start = offset + 40
      let count = hasMasks ? (size >= 56 ? 4 : 3) : (field(16) == 6 ? 4 : 3)
      if !hasMasks { end += count * 4 }
      guard bytes.count >= start + count * 4 else { return nil }
      // A mask may state bits that pixels do not have.
      let pixel = UInt32.max >> UInt32(32 - bitsPerPixel)
      func mask(_ index: Int) -> UInt32 { UInt32(bytes.littleEndian32(at: start + index * 4)) & pixel }
      guard let masks = DIBMasks(red: mask(0), green: mask(1), blue: mask(2), alpha: count == 4 ? mask(3) : 0) else {
        throw malformed("a color mask whose bits are not contiguous")
      }
      self.masks = masks
    case (let compression, _):
      throw .unsupported(format, feature: "compression \(compression) with \(bitsPerPixel) bits per pixel")
    }

    paletteEntrySize = isCore ? 3 : 4
    let most = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
    let used = isCore ? 0 : field(32)
    // Colors beyond the range of indices are ignored; an icon may have some.
    palette = end..<end + (used == 0 ? most : used) * paletteEntrySize
    saysSRGB = [0x7352_4742, 0x5769_6E20].contains(field(56)) && size >= 108
    let (profileOffset, profileSize) = (field(112), field(116))
    profile =
      size == 124 && field(56) == 0x4D42_4544 && profileSize > 0
      ? offset + profileOffset..<offset + profileOffset + profileSize : nil
  }
}
