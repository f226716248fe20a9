import CNukeKernels

extension Bitmap {
  /// Returns an image whose colors are computed from the colors and positions of this one. Alpha is unchanged. Returns
  /// `nil` if the image is empty or memory cannot be allocated.
  ///
  /// - Parameters:
  ///   - kernels: the kernels that load and store pixels. All variants produce the same pixels.
  ///   - body: receives a straight sRGB color from 0 to 1, and the pixel's column from the left and row from the top.
  package func recolored(
    kernels: PixelKernels = .best, _ body: (_ color: SIMD3<Double>, _ column: Int, _ row: Int) -> SIMD3<Double>
  ) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let loops = kernels.table.pointee.planes.pointee
    let block = Int(nuke_block)
    withUnsafeTemporaryAllocation(byteCount: block * 16, alignment: 64) { memory in
      let planes = memory.bindMemory(to: Float.self).baseAddress!
      for row in 0..<pixelHeight {
        for start in stride(from: 0, to: pixelWidth, by: block) {
          let count = min(block, pixelWidth - start)
          loops.load(planes, buffer.row(row) + start * 4, count)
          for index in 0..<count {
            let color = SIMD3(
              Double(planes[index]), Double(planes[block + index]), Double(planes[2 * block + index]))
            let made = body(color, start + index, row)
            planes[index] = Float(made.x)
            planes[block + index] = Float(made.y)
            planes[2 * block + index] = Float(made.z)
          }
          loops.store(result.row(row) + start * 4, planes, count)
        }
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns an image whose colors are computed from the colors and positions of this one. Positions have their origin
  /// at the lower left.
  func recolored(_ body: (_ color: SIMD3<Double>, _ place: ImagePoint) -> SIMD3<Double>) -> Bitmap? {
    recolored { color, column, row in
      body(color, ImagePoint(Double(column) + 0.5, Double(pixelHeight) - Double(row) - 0.5))
    }
  }

  /// Returns an image whose colors are computed from those of this image and others of its size. Alpha is unchanged.
  /// Returns `nil` if sizes differ, the image is empty, or memory cannot be allocated.
  ///
  /// - Parameter body: receives the premultiplied colors from 0 to 1. Its result is clamped to 0...alpha and rounded to
  ///   the nearest value.
  package func combined(
    with other: Bitmap, _ body: (_ own: SIMD3<Double>, _ other: SIMD3<Double>) -> SIMD3<Double>
  ) -> Bitmap? {
    guard let buffer, let second = other.buffer, second.width == buffer.width, second.height == buffer.height,
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    let (a, b, to) = (buffer.base, second.base, result.base)
    for offset in stride(from: 0, to: byteCount, by: 4) {
      let made = body(
        SIMD3(Double(a[offset]), Double(a[offset + 1]), Double(a[offset + 2])) / 255,
        SIMD3(Double(b[offset]), Double(b[offset + 1]), Double(b[offset + 2])) / 255)
      let alpha = Double(a[offset + 3])
      for channel in 0..<3 {
        let value = made[channel] * 255 + 0.5
        // NaN becomes 0.
        to[offset + channel] = value > 0 ? UInt8(min(value, alpha)) : 0
      }
      to[offset + 3] = a[offset + 3]
    }
    return withExtendedLifetime((self, other)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}

extension SIMD3<Double> {
  /// The BT.709 luminance.
  package var luminance: Double {
    let (red, green, blue) = PixelMatrix.luminance
    return red * x + green * y + blue * z
  }
}
