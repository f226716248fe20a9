import NukeImaging

/// Decodes the pixels of a device-independent bitmap.
struct DIBPixels {
  let header: DIBHeader
  let format: ImageFormat
  let bytes: UnsafeRawBufferPointer
  /// The offset of the pixel data.
  let start: Int
  /// The palette, as RGBA pixels. It has an entry for every possible index.
  private let colors: [UInt32]

  init(_ header: DIBHeader, in bytes: UnsafeRawBufferPointer, start: Int, format: ImageFormat) {
    self.header = header
    self.format = format
    self.bytes = bytes
    self.start = start
    colors = header.isIndexed ? Self.colors(of: header, in: bytes, before: start) : []
  }

  /// Returns the palette. Missing colors are black.
  private static func colors(of header: DIBHeader, in bytes: UnsafeRawBufferPointer, before start: Int) -> [UInt32] {
    let count = 1 << header.bitsPerPixel
    var colors = [UInt32](repeating: 0xFF00_0000, count: count)
    let size = header.paletteEntrySize
    for index in 0..<min(count, header.palette.count / size) {
      let entry = header.palette.lowerBound + index * size
      guard entry + size <= min(start, bytes.count) else { break }
      let (blue, green, red) = (bytes[entry], bytes[entry + 1], bytes[entry + 2])
      colors[index] = 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
    }
    return colors.map { UInt32(littleEndian: $0) }
  }

  var end: Int { start + header.byteCount }

  /// Throws if the pixels are known to be truncated before they are read.
  func check() throws(CodecError) {
    guard start < bytes.count, header.compression == .runs || end <= bytes.count else {
      throw .truncated(format, byteCount: bytes.count)
    }
  }

  /// Writes straight RGBA rows from the top.
  ///
  /// - Returns: `true` if any alpha is above 0.
  func draw(into buffer: PixelBuffer, isCancelled: (() -> Bool)?) throws(CodecError) -> Bool {
    guard header.compression == .none else {
      try drawRuns(into: buffer, isCancelled: isCancelled)
      return true
    }
    var alphas: UInt8 = 0
    for stored in 0..<header.height {
      if stored % 64 == 0, isCancelled?() == true { throw .cancelled(format) }
      guard let row = bytes.baseAddress?.advanced(by: start + stored * header.bytesPerRow) else { break }
      let target = buffer.row(header.isTopDown ? stored : header.height - 1 - stored)
      draw(row.assumingMemoryBound(to: UInt8.self), into: target)
      if header.hasAlpha {
        for x in 0..<header.width { alphas |= target[x * 4 + 3] }
      }
    }
    return !header.hasAlpha || alphas > 0
  }

  private func draw(_ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
    let width = header.width
    switch header.bitsPerPixel {
    case 24 where header.masks?.areBytes != false:
      PixelKernels.best.expandRGB(row, to: target, count: width)
      PixelKernels.best.swapRedBlue(target, to: target, count: width)
    case 16, 24, 32:
      guard let masks = header.masks else { return }
      if header.bitsPerPixel == 32, masks.areBytes {
        PixelKernels.best.swapRedBlue(row, to: target, count: width)
        if masks.alpha.isEmpty { PixelKernels.best.setOpaque(target, count: width) }
      } else {
        draw(row, masks, into: target)
      }
    default:
      let bits = header.bitsPerPixel
      let mask = (1 << bits) - 1
      colors.withUnsafeBufferPointer { colors in
        let target = UnsafeMutableRawPointer(target)
        for x in 0..<width {
          let bit = x * bits
          let index = Int(row[bit >> 3]) >> (8 - bits - bit & 7) & mask
          target.storeBytes(of: colors[index], toByteOffset: x * 4, as: UInt32.self)
        }
      }
    }
  }

  private func draw(_ row: UnsafePointer<UInt8>, _ masks: DIBMasks, into target: UnsafeMutablePointer<UInt8>) {
    let row = UnsafeRawPointer(row)
    for x in 0..<header.width {
      let pixel =
        switch header.bitsPerPixel {
        case 16: UInt32(UInt16(littleEndian: row.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)))
        case 24:
          UInt32(row.load(fromByteOffset: x * 3, as: UInt8.self))
            | UInt32(UInt16(littleEndian: row.loadUnaligned(fromByteOffset: x * 3 + 1, as: UInt16.self))) << 8
        default: UInt32(littleEndian: row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self))
        }
      target[x * 4] = masks.red.isEmpty ? 0 : masks.red(pixel)
      target[x * 4 + 1] = masks.green.isEmpty ? 0 : masks.green(pixel)
      target[x * 4 + 2] = masks.blue.isEmpty ? 0 : masks.blue(pixel)
      target[x * 4 + 3] = masks.alpha.isEmpty ? 255 : masks.alpha(pixel)
    }
  }

  // MARK: Run-length encoding

  /// Decodes runs. Pixels without a run have the first color of the palette, or are black. Pixels outside a row are
  /// ignored.
  private func drawRuns(into buffer: PixelBuffer, isCancelled: (() -> Bool)?) throws(CodecError) {
    let (width, height, bits) = (header.width, header.height, header.bitsPerPixel)
    buffer.base.withMemoryRebound(to: UInt32.self, capacity: width * height) {
      $0.update(repeating: colors.first ?? UInt32(littleEndian: 0xFF00_0000), count: width * height)
    }
    var (x, y, offset, codes) = (0, 0, start, 0)

    func put(_ color: UInt32) {
      defer { x += 1 }
      guard x < width else { return }
      let row = buffer.row(header.isTopDown ? y : height - 1 - y)
      UnsafeMutableRawPointer(row).storeBytes(of: color, toByteOffset: x * 4, as: UInt32.self)
    }

    /// Returns the color of a pixel of a run, which begins at `offset`. Two pixels of 4 bits share a byte.
    func color(_ pixel: Int, ofRunAt offset: Int) -> UInt32 {
      switch bits {
      case 4: return colors[Int(pixel % 2 == 1 ? bytes[offset + pixel / 2] & 15 : bytes[offset + pixel / 2] >> 4)]
      case 8: return colors[Int(bytes[offset + pixel])]
      default:
        let start = offset + pixel * 3
        let (blue, green, red) = (bytes[start], bytes[start + 1], bytes[start + 2])
        return UInt32(littleEndian: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
      }
    }

    while y < height {
      codes += 1
      if codes % 4096 == 0, isCancelled?() == true { throw .cancelled(format) }
      guard offset + 2 <= bytes.count else {
        if y == height - 1, x >= width { return }
        throw .truncated(format, byteCount: bytes.count)
      }
      let (count, value) = (Int(bytes[offset]), Int(bytes[offset + 1]))
      offset += 2
      switch (count, value) {
      case (0, 0): (x, y) = (0, y + 1)
      case (0, 1): return
      case (0, 2):
        guard offset + 2 <= bytes.count else { throw .truncated(format, byteCount: bytes.count) }
        (x, y) = (min(x + Int(bytes[offset]), width), y + Int(bytes[offset + 1]))
        offset += 2
      case (0, _):
        let length = (value * bits + 7) / 8
        guard offset + length <= bytes.count else { throw .truncated(format, byteCount: bytes.count) }
        for pixel in 0..<value { put(color(pixel, ofRunAt: offset)) }
        offset += length + length % 2
        x = min(x, width)
      default:
        // Of a color, the first byte is `value`.
        if bits == 24 { offset += 2 }
        guard offset <= bytes.count else { throw .truncated(format, byteCount: bytes.count) }
        let run = offset - (bits == 24 ? 3 : 1)
        for pixel in 0..<count { put(color(bits == 4 ? pixel % 2 : 0, ofRunAt: run)) }
        x = min(x, width)
      }
    }
  }
}
