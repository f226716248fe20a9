#if TIFF
  import NukeImaging

  /// Turns stored samples into components of 8 or 16 bits, and components into channels of pixels.
  struct TIFFSamples<Component: FixedWidthInteger & UnsignedInteger> {
    private let layout: TIFFLayout
    private var components: [Component]

    /// - Parameter width: pixels of the longest row that comes.
    init(_ layout: TIFFLayout, width: Int) {
      self.layout = layout
      components = [Component](repeating: 0, count: width * (layout.isPlanar ? 1 : layout.sampleCount))
    }

    /// Writes the channels that a row of samples has into `count` pixels.
    ///
    /// - Parameters:
    ///   - row: as libtiff gives it: of all samples, or of the plane `plane`.
    ///   - pixels: RGBA, the four inks, or L*a*b* as ``LabConversion`` takes it; alpha is the largest before.
    mutating func draw(
      _ row: UnsafeRawPointer, plane: Int, count: Int, to pixels: UnsafeMutablePointer<Component>
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

    /// Brings `count` samples to components: indices as they are, everything else scaled and rounded to nearest.
    private mutating func fill(_ row: UnsafeRawPointer, _ count: Int) {
      let isIndexed = layout.color.model == .indexed
      // Of 16 bits, each byte twice.
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

    /// 1 is white; what is beyond 0 and 1 is cut, and what is no number is 0.
    private static func component(_ value: Float) -> Component {
      // By Int32, since the conversions of a generic integer from and to a float are slow.
      let most: Float = Component.bitWidth == 8 ? 255 : 65_535
      return value > 0 ? Component(truncatingIfNeeded: Int32(min(value, 1) * most + 0.5)) : 0
    }

    /// L*, or a* and b*, of 16 bits as profiles of version 4 count them.
    private func lab(_ value: Component, _ sample: Int, _ encoding: TIFFLayout.LabEncoding) -> Component {
      let hasSign = encoding == .signed && sample > 0
      // Of 8 bits each byte stands there twice.
      guard layout.bits == 16 else { return hasSign ? value ^ Component(truncatingIfNeeded: 0x8080) : value }
      // L* with a* and b* of a sign goes from 0 to 65535; the others count a unit of a* and b* as 256.
      if encoding == .signed, sample == 0 { return value }
      let unsigned = Int(hasSign ? value ^ Component(truncatingIfNeeded: 0x8000) : value)
      return Component(clamping: (unsigned * 257 + 128) >> 8)
    }

    private func put(
      _ values: UnsafePointer<Component>, step: Int, sample: Int, _ count: Int,
      _ pixels: UnsafeMutablePointer<Component>
    ) {
      if layout.alpha != .none, sample == layout.alphaIndex {
        for x in 0..<count { pixels[x * 4 + 3] = values[x * step] }
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
