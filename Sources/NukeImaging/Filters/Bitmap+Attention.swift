extension Bitmap {
  /// Returns the upper left corner of the region of the given size with the most detail.
  ///
  /// The detail of a pixel is the difference of its luminance from those of its right and lower neighbors, plus half of
  /// its saturation (largest minus smallest channel). It is summed in a copy whose longer side has at most 128 pixels.
  /// Of equal regions, the one nearest to the center is chosen, then the topmost, then the leftmost.
  package func busiest(width: Int, height: Int) -> (x: Int, y: Int) {
    let (freeX, freeY) = (pixelWidth - width, pixelHeight - height)
    let longest = 128.0
    let factor = min(1, longest / Double(max(pixelWidth, pixelHeight)))
    let small: Bitmap
    if factor < 1 {
      let geometry = ResizeGeometry(
        sourceWidth: pixelWidth, sourceHeight: pixelHeight,
        region: .init(x: 0, y: 0, width: Double(pixelWidth), height: Double(pixelHeight)),
        outputWidth: max(Int(Double(pixelWidth) * factor), 1), outputHeight: max(Int(Double(pixelHeight) * factor), 1))
      guard let resized = resized(geometry, filter: .area) else { return (freeX / 2, freeY / 2) }
      small = resized
    } else {
      small = self
    }
    let sums = small.sumsOfInterest()
    let (columns, rows) = (small.pixelWidth, small.pixelHeight)
    let wide = min(max(Int((Double(width) * Double(columns) / Double(pixelWidth)).rounded()), 1), columns)
    let high = min(max(Int((Double(height) * Double(rows) / Double(pixelHeight)).rounded()), 1), rows)
    var best = (sum: -1, distance: Int.max, x: 0, y: 0)
    for y in 0...(rows - high) {
      for x in 0...(columns - wide) {
        let stride = columns + 1
        let sum =
          sums[(y + high) * stride + x + wide] - sums[y * stride + x + wide] - sums[(y + high) * stride + x]
          + sums[y * stride + x]
        let (dx, dy) = (2 * x - (columns - wide), 2 * y - (rows - high))
        let distance = dx * dx + dy * dy
        if sum > best.sum || (sum == best.sum && distance < best.distance) { best = (sum, distance, x, y) }
      }
    }
    func scaled(_ place: Int, of all: Int, free: Int) -> Int {
      all == 0 ? free / 2 : (place * free + all / 2) / all
    }
    return (scaled(best.x, of: columns - wide, free: freeX), scaled(best.y, of: rows - high, free: freeY))
  }

  /// Returns, for each corner of a pixel, the sum of the detail above and to the left of it.
  private func sumsOfInterest() -> [Int] {
    let (width, height) = (pixelWidth, pixelHeight)
    return withUnsafeBytes { bytes in
      func luminance(_ x: Int, _ y: Int) -> Int {
        let offset = (y * width + x) * 4
        return (54 * Int(bytes[offset]) + 183 * Int(bytes[offset + 1]) + 19 * Int(bytes[offset + 2])) >> 8
      }
      var sums = [Int](repeating: 0, count: (width + 1) * (height + 1))
      for y in 0..<height {
        var row = 0
        for x in 0..<width {
          let offset = (y * width + x) * 4
          let here = luminance(x, y)
          let right = x + 1 < width ? abs(luminance(x + 1, y) - here) : 0
          let below = y + 1 < height ? abs(luminance(x, y + 1) - here) : 0
          let (red, green, blue) = (bytes[offset], bytes[offset + 1], bytes[offset + 2])
          row += 2 * (right + below) + Int(max(red, green, blue) - min(red, green, blue))
          sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row
        }
      }
      return sums
    }
  }
}
