#if TIFF
  import NukeImaging

  /// Turns stored samples into bytes, and bytes into channels of pixels.
  struct TIFFSamples {
    private let layout: TIFFLayout
    private var bytes: [UInt8]

    /// - Parameter width: pixels of the longest row that comes.
    init(_ layout: TIFFLayout, width: Int) {
      self.layout = layout
      bytes = [UInt8](repeating: 0, count: width * (layout.isPlanar ? 1 : layout.sampleCount))
    }

    /// Writes the channels that a row of samples has into `count` pixels.
    ///
    /// - Parameters:
    ///   - row: as libtiff gives it: of all samples, or of the plane `plane`.
    ///   - pixels: RGBA, or the four inks; alpha is 255 before.
    mutating func draw(
      _ row: UnsafeRawPointer, plane: Int, count: Int, to pixels: UnsafeMutablePointer<UInt8>
    ) {
      let perPixel = layout.isPlanar ? 1 : layout.sampleCount
      if layout.bits == 8, !layout.isPlanar, drawBytes(row.assumingMemoryBound(to: UInt8.self), count, pixels) {
        return
      }
      fill(row, count * perPixel)
      for sample in layout.isPlanar ? plane...plane : 0...layout.sampleCount - 1 {
        bytes.withUnsafeBufferPointer { bytes in
          guard let first = bytes.baseAddress else { return }
          put(first + (layout.isPlanar ? 0 : sample), step: perPixel, sample: sample, count, pixels)
        }
      }
    }

    /// The common layouts of bytes; false for others.
    private func drawBytes(
      _ row: UnsafePointer<UInt8>, _ count: Int, _ pixels: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      let hasAlpha = layout.alpha != .none
      switch (layout.color, layout.sampleCount) {
      case (.rgb, 3): PixelKernels.best.expandRGB(row, to: pixels, count: count)
      case (.rgb, 4) where hasAlpha, (.cmyk, 4): pixels.update(from: row, count: count * 4)
      case (.gray(false), 1): PixelKernels.best.expandGray(row, to: pixels, count: count)
      case (.gray(false), 2) where hasAlpha: PixelKernels.best.expandGrayAlpha(row, to: pixels, count: count)
      default: return false
      }
      return true
    }

    /// Brings `count` samples to bytes: indices as they are, everything else scaled and rounded to nearest.
    private mutating func fill(_ row: UnsafeRawPointer, _ count: Int) {
      let isIndexed = layout.color.model == .indexed
      switch (layout.bits, layout.isFloatingPoint) {
      case (8, _):
        for i in 0..<count { bytes[i] = row.load(fromByteOffset: i, as: UInt8.self) }
      case (16, false):
        for i in 0..<count {
          bytes[i] = UInt8((UInt32(row.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self)) * 255 + 32_895) >> 16)
        }
      case (32, false):
        for i in 0..<count {
          let value = UInt64(row.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
          bytes[i] = UInt8((value * 255 + 0x7FFF_FFFF) / 0xFFFF_FFFF)
        }
      case (16, true):
        for i in 0..<count { bytes[i] = Self.byte(Float(row.loadUnaligned(fromByteOffset: i * 2, as: Float16.self))) }
      case (32, true):
        for i in 0..<count { bytes[i] = Self.byte(row.loadUnaligned(fromByteOffset: i * 4, as: Float.self)) }
      case (64, true):
        for i in 0..<count { bytes[i] = Self.byte(Float(row.loadUnaligned(fromByteOffset: i * 8, as: Double.self))) }
      case (let bits, _):
        let most = 1 << bits - 1
        let factor = isIndexed ? 1 : 255 / most
        for i in 0..<count {
          let byte = Int(row.load(fromByteOffset: i * bits / 8, as: UInt8.self))
          bytes[i] = UInt8((byte >> (8 - bits - i * bits % 8) & most) * factor)
        }
      }
    }

    /// 1 is white; what is beyond 0 and 1 is cut, and what is no number is 0.
    private static func byte(_ value: Float) -> UInt8 {
      value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0
    }

    private func put(
      _ values: UnsafePointer<UInt8>, step: Int, sample: Int, _ count: Int, _ pixels: UnsafeMutablePointer<UInt8>
    ) {
      if layout.alpha != .none, sample == layout.alphaIndex {
        for x in 0..<count { pixels[x * 4 + 3] = values[x * step] }
        return
      }
      guard sample < layout.color.sampleCount else { return }
      switch layout.color {
      case .gray(let whiteIsZero):
        let flip: UInt8 = whiteIsZero ? 255 : 0
        for x in 0..<count {
          let value = values[x * step] ^ flip
          (pixels[x * 4], pixels[x * 4 + 1], pixels[x * 4 + 2]) = (value, value, value)
        }
      case .palette(let colors):
        for x in 0..<count {
          let color = Int(values[x * step]) * 3
          for channel in 0..<3 { pixels[x * 4 + channel] = colors[color + channel] }
        }
      case .rgb, .cmyk, .convertedByLibrary:
        for x in 0..<count { pixels[x * 4 + sample] = values[x * step] }
      }
    }
  }
#endif
