#if TIFF
  import NukeImaging

  /// Converts stored samples to components with 8 or 16 bits, and components to channels of pixels.
  struct TIFFSamples<Component: FixedWidthInteger & UnsignedInteger> {
    private let layout: TIFFLayout
    private var components: [Component]

    /// - Parameter width: the maximum number of pixels in a row.
    init(_ layout: TIFFLayout, width: Int) {
      self.layout = layout
      components = [Component](repeating: 0, count: width * (layout.isPlanar ? 1 : layout.sampleCount))
    }

    /// Writes the channels of a row of samples into `count` pixels.
    ///
    /// - Parameters:
    ///   - row: a row from libtiff, with all samples or those of the plane `plane`.
    ///   - pixels: RGBA, the four inks, or L*a*b* as in ``LabConversion``. Alpha must initially be the maximum.
    ///   - alphas: receives the alpha of inks.
    mutating func draw(
      _ row: UnsafeRawPointer, plane: Int, count: Int, to pixels: UnsafeMutablePointer<Component>,
      alphas: UnsafeMutablePointer<Component>?
    ) {
      let perPixel = layout.isPlanar ? 1 : layout.sampleCount
      if layout.bits == 8, !layout.isPlanar, let pixels = pixels as? UnsafeMutablePointer<UInt8>,
        drawBytes(row.assumingMemoryBound(to: UInt8.self), count, pixels)
      {
        return
      }
      fill(row, count * perPixel)
      for sample in layout.isPlanar ? plane...plane : 0...layout.sampleCount - 1 {
        components.withUnsafeBufferPointer { components in
          guard let first = components.baseAddress else { return }
          put(first + (layout.isPlanar ? 0 : sample), step: perPixel, sample: sample, count, pixels, alphas)
        }
      }
    }

    /// Converts common byte layouts. Returns `false` for others.
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

    /// Converts `count` samples to components: indices unchanged, and all others scaled and rounded to the nearest
    /// value.
    private mutating func fill(_ row: UnsafeRawPointer, _ count: Int) {
      let isIndexed = layout.color.model == .indexed
      // For 16 bits, each byte is repeated.
      let byteFactor = Component.max / 255
      switch (layout.bits, layout.isFloatingPoint) {
      case (8, _):
        for i in 0..<count { components[i] = Component(row.load(fromByteOffset: i, as: UInt8.self)) * byteFactor }
      case (16, false):
        for i in 0..<count {
          let value = row.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self)
          components[i] = byteFactor == 1 ? Component((UInt32(value) * 255 + 32_895) >> 16) : Component(value)
        }
      case (32, false):
        for i in 0..<count {
          let value = UInt64(row.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
          components[i] = Component((value * UInt64(Component.max) + 0x7FFF_FFFF) / 0xFFFF_FFFF)
        }
      case (16, true):
        for i in 0..<count {
          components[i] = Self.component(Float(row.loadUnaligned(fromByteOffset: i * 2, as: Float16.self)))
        }
      case (32, true):
        for i in 0..<count { components[i] = Self.component(row.loadUnaligned(fromByteOffset: i * 4, as: Float.self)) }
      case (64, true):
        for i in 0..<count {
          components[i] = Self.component(Float(row.loadUnaligned(fromByteOffset: i * 8, as: Double.self)))
        }
      case (let bits, _):
        let most = 1 << bits - 1
        let factor = isIndexed ? 1 : Int(Component.max) / most
        for i in 0..<count {
          let byte = Int(row.load(fromByteOffset: i * bits / 8, as: UInt8.self))
          components[i] = Component((byte >> (8 - bits - i * bits % 8) & most) * factor)
        }
      }
    }

    /// Converts a float, where 1 is white. Values are clamped to 0...1, and NaN is 0.
    private static func component(_ value: Float) -> Component {
      // Via Int32, because conversions between a generic integer and a float are slow.
      let most: Float = Component.bitWidth == 8 ? 255 : 65_535
      return value > 0 ? Component(truncatingIfNeeded: Int32(min(value, 1) * most + 0.5)) : 0
    }

    /// Converts L*, or a* and b*, to 16 bits in the encoding of version 4 profiles.
    private func lab(_ value: Component, _ sample: Int, _ encoding: TIFFLayout.LabEncoding) -> Component {
      let hasSign = encoding == .signed && sample > 0
      // 8-bit samples are repeated bytes here.
      guard layout.bits == 16 else { return hasSign ? value ^ Component(truncatingIfNeeded: 0x8080) : value }
      // L* with signed a* and b* is from 0 to 65535; in the other encodings, a unit of a* and b* is 256.
      if encoding == .signed, sample == 0 { return value }
      let unsigned = Int(hasSign ? value ^ Component(truncatingIfNeeded: 0x8000) : value)
      return Component(clamping: (unsigned * 257 + 128) >> 8)
    }

    private func put(
      _ values: UnsafePointer<Component>, step: Int, sample: Int, _ count: Int,
      _ pixels: UnsafeMutablePointer<Component>, _ alphas: UnsafeMutablePointer<Component>?
    ) {
      if layout.alpha != .none, sample == layout.alphaIndex {
        if let alphas {
          for x in 0..<count { alphas[x] = values[x * step] }
        } else {
          for x in 0..<count { pixels[x * 4 + 3] = values[x * step] }
        }
        return
      }
      guard sample < layout.color.sampleCount else { return }
      switch layout.color {
      case .gray(let whiteIsZero):
        let flip: Component = whiteIsZero ? .max : 0
        for x in 0..<count {
          let value = values[x * step] ^ flip
          (pixels[x * 4], pixels[x * 4 + 1], pixels[x * 4 + 2]) = (value, value, value)
        }
      case .palette(let colors):
        for x in 0..<count {
          let color = Int(values[x * step]) * 3
          for channel in 0..<3 { pixels[x * 4 + channel] = Component(colors[color + channel]) }
        }
      case .lab(let encoding):
        for x in 0..<count { pixels[x * 4 + sample] = lab(values[x * step], sample, encoding) }
      case .rgb, .cmyk, .convertedByLibrary:
        for x in 0..<count { pixels[x * 4 + sample] = values[x * step] }
      }
    }
  }
#endif
