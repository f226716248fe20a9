#if TIFF
  import CNukeTIFF
  import Foundation
  import NukeImaging

  /// The decoding of a TIFF into a buffer.
  struct TIFFDecoding {
    private let file: TIFFFile
    private let layout: TIFFLayout
    private let profile: ColorProfile?
    private let buffer: PixelBuffer
    private let isCancelled: (() -> Bool)?

    init(
      _ bytes: UnsafeRawBufferPointer, layout: TIFFLayout, profile: ColorProfile?, buffer: PixelBuffer,
      isCancelled: (() -> Bool)?
    ) throws(CodecError) {
      file = try TIFFFile(reading: bytes)
      // Reading the layout also configures libtiff to deliver RGB where necessary.
      _ = try TIFFLayout(file, limits: .unlimited)
      self.layout = layout
      self.profile = profile
      self.buffer = buffer
      self.isCancelled = isCancelled
    }

    /// - Returns: `true` if every pixel is opaque.
    func run() throws(CodecError) -> Bool {
      if layout.color == .convertedByLibrary { return try drawByLibrary() }
      // Inks leave no room for alpha in a pixel.
      let alphas = layout.hasAlphaPlane ? try memory(layout.alphaPlaneByteCount) : nil
      guard layout.isDeep(with: profile) else {
        buffer.base.update(repeating: 255, count: buffer.byteCount)
        let alphas = alphas?.base.assumingMemoryBound(to: UInt8.self)
        try draw(to: buffer.base, alphas)
        return try finish(alphas)
      }
      let deep = try PixelBuffer.allocateDeep(.tiff, width: layout.width, height: layout.height)
      deep.base.update(repeating: 255, count: deep.byteCount)
      let deepAlphas = alphas?.base.assumingMemoryBound(to: UInt16.self)
      try draw(to: deep.components, deepAlphas)
      return try finish(deep.components, deepAlphas)
    }

    /// Decodes all samples into pixels with four components.
    private func draw<Component: FixedWidthInteger & UnsignedInteger>(
      to pixels: UnsafeMutablePointer<Component>, _ alphas: UnsafeMutablePointer<Component>?
    ) throws(CodecError) {
      if let tile = layout.tile {
        try drawTiles(tile.width, tile.height, to: pixels, alphas)
      } else {
        try drawRows(to: pixels, alphas)
      }
    }

    private func checkCancelled() throws(CodecError) {
      if isCancelled?() == true { throw .cancelled(.tiff) }
    }

    private func memory(_ byteCount: Int) throws(CodecError) -> Scratch {
      guard byteCount > 0, let memory = Scratch(byteCount: byteCount) else {
        throw .outOfMemory(.tiff, byteCount: byteCount)
      }
      return memory
    }

    private var planes: Range<Int> { 0..<(layout.isPlanar ? layout.sampleCount : 1) }

    /// Decodes row by row, which all codecs support, so that a strip is never in memory as a whole.
    private func drawRows<Component: FixedWidthInteger & UnsignedInteger>(
      to pixels: UnsafeMutablePointer<Component>, _ alphas: UnsafeMutablePointer<Component>?
    ) throws(CodecError) {
      // libtiff may round the size of a row up.
      let row = try memory(Int(clamping: TIFFScanlineSize64(file.handle)))
      guard row.byteCount >= layout.rowByteCount(layout.width) else { throw contradiction }
      var samples = TIFFSamples<Component>(layout, width: layout.width)
      for plane in planes {
        for y in 0..<layout.height {
          if y % 64 == 0 { try checkCancelled() }
          guard TIFFReadScanline(file.handle, row.base, UInt32(y), UInt16(plane)) >= 0 else {
            throw file.failure(ofPart: TIFFComputeStrip(file.handle, UInt32(y), UInt16(plane)))
          }
          samples.draw(
            row.base, plane: plane, count: layout.width, to: pixels + y * layout.width * 4,
            alphas: alphas.map { $0 + y * layout.width })
        }
      }
    }

    private func drawTiles<Component: FixedWidthInteger & UnsignedInteger>(
      _ width: Int, _ height: Int, to pixels: UnsafeMutablePointer<Component>,
      _ alphas: UnsafeMutablePointer<Component>?
    ) throws(CodecError) {
      let size = Int(clamping: TIFFTileSize64(file.handle))
      let bytesPerRow = Int(clamping: TIFFTileRowSize64(file.handle))
      let tile = try memory(size)
      guard bytesPerRow >= layout.rowByteCount(width), size >= bytesPerRow * height else { throw contradiction }
      var samples = TIFFSamples<Component>(layout, width: min(width, layout.width))
      for plane in planes {
        for top in stride(from: 0, to: layout.height, by: height) {
          for left in stride(from: 0, to: layout.width, by: width) {
            try checkCancelled()
            let part = TIFFComputeTile(file.handle, UInt32(left), UInt32(top), 0, UInt16(plane))
            guard TIFFReadEncodedTile(file.handle, part, tile.base, tmsize_t(size)) >= 0 else {
              throw file.failure(ofPart: part)
            }
            for y in 0..<min(height, layout.height - top) {
              let first = (top + y) * layout.width + left
              samples.draw(
                tile.base + y * bytesPerRow, plane: plane, count: min(width, layout.width - left),
                to: pixels + first * 4, alphas: alphas.map { $0 + first })
            }
          }
        }
      }
    }

    private var contradiction: CodecError {
      .malformed(.tiff, reason: "a row has fewer bytes than its pixels need", offset: nil)
    }

    /// Decodes strip by strip with libtiff's own conversion.
    private func drawByLibrary() throws(CodecError) -> Bool {
      var image = TIFFRGBAImage()
      var words = [CChar](repeating: 0, count: 1024)
      guard TIFFRGBAImageBegin(&image, file.handle, 1, &words) != 0 else {
        let reason = words.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        throw .malformed(.tiff, reason: reason, offset: nil)
      }
      defer { TIFFRGBAImageEnd(&image) }
      // As stored: the orientation is applied later, as for all formats.
      image.req_orientation = image.orientation
      buffer.clear()
      let rows = max(1, layout.tile?.height ?? file.number(TIFFTAG_ROWSPERSTRIP))
      for top in stride(from: 0, to: layout.height, by: rows) {
        try checkCancelled()
        image.row_offset = Int32(top)
        let count = min(rows, layout.height - top)
        let isRead = buffer.row(top).withMemoryRebound(to: UInt32.self, capacity: layout.width * count) {
          TIFFRGBAImageGet(&image, $0, UInt32(layout.width), UInt32(count))
        }
        guard isRead != 0 else {
          let part =
            layout.tile == nil
            ? TIFFComputeStrip(file.handle, UInt32(top), 0) : TIFFComputeTile(file.handle, 0, UInt32(top), 0, 0)
          throw file.failure(ofPart: part)
        }
      }
      PixelKernels.best.setOpaque(buffer.base, count: layout.width * layout.height)
      profile?.convertToSRGB(buffer, isOpaque: true)
      return true
    }

    // MARK: Colors

    /// Converts straight or premultiplied colors, or inks, to premultiplied sRGB.
    private func finish(_ alphas: UnsafeMutablePointer<UInt8>?) throws(CodecError) -> Bool {
      var isOpaque = true
      let rowsAtOnce = max(1, 16_384 / layout.width)
      for top in stride(from: 0, to: layout.height, by: rowsAtOnce) {
        try checkCancelled()
        let (pixels, count) = (buffer.row(top), min(rowsAtOnce, layout.height - top) * layout.width)
        if layout.color == .cmyk {
          let alphas = alphas.map { $0 + top * layout.width }
          if let alphas, layout.alpha == .premultiplied { Self.unpremultiplyInks(pixels, alphas, count) }
          if profile?.convertCMYKToSRGB(pixels, to: pixels, pixelCount: count) != true {
            for index in 0..<count * 4 { pixels[index] = 255 - pixels[index] }
            JPEGReader.multiplyInks(pixels, count)
          }
          guard let alphas else { continue }
          for index in 0..<count { pixels[index * 4 + 3] = alphas[index] }
          if !PixelKernels.best.premultiply(pixels, count: count) { isOpaque = false }
          continue
        }
        // Invalid premultiplied colors may exceed their alpha. Unpremultiplying limits them.
        if layout.alpha == .premultiplied { PixelKernels.best.unpremultiply(pixels, to: pixels, count: count) }
        profile?.convertToSRGB(pixels, pixelCount: count, isOpaque: layout.alpha == .none)
        if layout.alpha != .none, !PixelKernels.best.premultiply(pixels, count: count) { isOpaque = false }
      }
      return isOpaque
    }

    /// Converts 16-bit components to premultiplied sRGB.
    private func finish(
      _ components: UnsafeMutablePointer<UInt16>, _ alphas: UnsafeMutablePointer<UInt16>?
    ) throws(CodecError) -> Bool {
      var isOpaque = true
      let rowsAtOnce = max(1, 16_384 / layout.width)
      for top in stride(from: 0, to: layout.height, by: rowsAtOnce) {
        try checkCancelled()
        let (pixels, count) = (buffer.row(top), min(rowsAtOnce, layout.height - top) * layout.width)
        let source = components + top * layout.width * 4
        if layout.color == .cmyk {
          let alphas = alphas.map { $0 + top * layout.width }
          if let alphas, layout.alpha == .premultiplied { Self.unpremultiplyInks(source, alphas, count) }
          if profile?.convertDeepCMYKToSRGB(source, to: pixels, pixelCount: count) != true {
            Self.multiplyInks(source, to: pixels, count)
          }
          guard let alphas else { continue }
          for index in 0..<count { pixels[index * 4 + 3] = UInt8((UInt32(alphas[index]) * 255 + 32_895) >> 16) }
          if !PixelKernels.best.premultiply(pixels, count: count) { isOpaque = false }
          continue
        }
        if case .lab = layout.color {
          LabConversion.convertToSRGB(source, to: pixels, pixelCount: count)
        } else {
          if layout.alpha == .premultiplied { Self.unpremultiply(source, count) }
          profile?.convertDeepToSRGB(source, bits: 16, to: pixels, pixelCount: count)
        }
        if layout.alpha != .none, !PixelKernels.best.premultiply(pixels, count: count) { isOpaque = false }
      }
      return isOpaque
    }

    /// Converts 16-bit inks to opaque RGBA8 without a profile, like ``JPEGReader/multiplyInks(_:_:)``.
    private static func multiplyInks(
      _ source: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
      let white: UInt64 = 65_535 * 65_535
      for index in 0..<count * 4 {
        let (ink, black) = (UInt64(source[index]), UInt64(source[index | 3]))
        pixels[index] = index % 4 == 3 ? 255 : UInt8(((65_535 - ink) * (65_535 - black) * 255 + white / 2) / white)
      }
    }

    /// Invalid premultiplied colors may exceed their alpha. Unpremultiplying limits them.
    private static func unpremultiply(_ pixels: UnsafeMutablePointer<UInt16>, _ count: Int) {
      for index in 0..<count * 4 where index % 4 != 3 {
        pixels[index] = unpremultiplied(pixels[index], alpha: pixels[index | 3])
      }
    }

    /// Divides all four inks of each pixel by its alpha.
    private static func unpremultiplyInks<Component: FixedWidthInteger & UnsignedInteger>(
      _ pixels: UnsafeMutablePointer<Component>, _ alphas: UnsafePointer<Component>, _ count: Int
    ) {
      for index in 0..<count * 4 { pixels[index] = unpremultiplied(pixels[index], alpha: alphas[index / 4]) }
    }

    private static func unpremultiplied<Component: FixedWidthInteger & UnsignedInteger>(
      _ value: Component, alpha: Component
    ) -> Component {
      alpha == 0
        ? 0 : Component(clamping: (UInt64(value) * UInt64(Component.max) + UInt64(alpha / 2)) / UInt64(alpha))
    }
  }

  extension TIFFLayout {
    /// `true` if alpha is decoded to a plane of its own.
    fileprivate var hasAlphaPlane: Bool { color == .cmyk && alpha != .none }

    /// The size of the plane of alpha in bytes; 0 if there is none.
    var alphaPlaneByteCount: Int { hasAlphaPlane ? width * height * (bits > 8 ? 2 : 1) : 0 }

    /// Returns the number of bytes in a row of `width` pixels, of one plane if there are several.
    fileprivate func rowByteCount(_ width: Int) -> Int {
      (width * (isPlanar ? 1 : sampleCount) * bits + 7) / 8
    }
  }

  /// Memory for a row or a tile, initially zero.
  private final class Scratch {
    let base: UnsafeMutableRawPointer
    let byteCount: Int

    init?(byteCount: Int) {
      guard let base = calloc(byteCount, 1) else { return nil }
      self.base = base
      self.byteCount = byteCount
    }

    deinit { free(base) }
  }
#endif
