extension BuiltInFilter {
  static let stylizing: [BuiltInFilter] = [
    BuiltInFilter(
      "CIPixellate",
      """
      Replaces squares with their mean color. The scale is the side of a square; a corner of squares is at the center.
      """,
      [.vector("inputCenter", [150, 150]), .number("inputScale", 8, in: 1...1e6)]
    ) { values, image in
      let (x, y) = values.point("inputCenter", height: image.pixelHeight)
      return image.pixellated(x: x, y: y, side: values.scale)
    }
  ]
}

extension Bitmap {
  /// Returns the image with squares replaced by their mean. A corner of four squares is at `x`, `y`, in pixels from the
  /// upper left.
  fileprivate func pixellated(x: Double, y: Double, side: Double) -> Bitmap? {
    guard side > 1 else { return self }
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let columns = Self.boundaries(count: pixelWidth, through: x, step: side)
    let rows = Self.boundaries(count: pixelHeight, through: y, step: side)
    for (top, bottom) in zip(rows, rows.dropFirst()) {
      for (left, right) in zip(columns, columns.dropFirst()) {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in top..<bottom {
          let pixels = buffer.row(row)
          for offset in stride(from: left * 4, to: right * 4, by: 4) {
            red += Int(pixels[offset])
            green += Int(pixels[offset + 1])
            blue += Int(pixels[offset + 2])
            alpha += Int(pixels[offset + 3])
          }
        }
        let count = (right - left) * (bottom - top)
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
        let pixel = (mean(red), mean(green), mean(blue), mean(alpha))
        for row in top..<bottom {
          let pixels = UnsafeMutableRawPointer(result.row(row) + left * 4).bindMemory(
            to: (UInt8, UInt8, UInt8, UInt8).self, capacity: right - left)
          pixels.update(repeating: pixel, count: right - left)
        }
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns 0, the rounded multiples of `step` from `place` in between, and `count`.
  private static func boundaries(count: Int, through place: Double, step: Double) -> [Int] {
    var result = [0]
    var next = place - (place / step).rounded(.down) * step
    while next < Double(count) {
      let boundary = Int(next.rounded())
      if boundary > result[result.count - 1], boundary < count { result.append(boundary) }
      next += step
    }
    return result + [count]
  }
}
