import NukeImaging

extension Bitmap {
  /// Returns the region without borders of one color. A pixel belongs to a border if no channel differs by more than
  /// the threshold. Returns `nil` if there is no border, or nothing else.
  ///
  /// Transparent pixels count as magenta, so that a URL can name them as a color. Only the borders are read.
  func withoutBorder(_ trim: ImageOptions.Trim) -> (x: Int, y: Int, width: Int, height: Int)? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
      let border = Border(trim, upperLeft: base)
      let (width, height) = (pixelWidth, pixelHeight)
      func isBorder(_ x: Int, _ y: Int) -> Bool { border.contains(base + (y * width + x) * 4) }
      func isBorder(row y: Int) -> Bool { (0..<width).allSatisfy { isBorder($0, y) } }
      guard var top = (0..<height).first(where: { !isBorder(row: $0) }),
        var bottom = (0..<height).last(where: { !isBorder(row: $0) }).map({ height - 1 - $0 })
      else { return nil }
      var (left, right) = (width, width)
      for y in top..<height - bottom {
        left = (0..<left).first { !isBorder($0, y) } ?? left
        right = (0..<right).first { !isBorder(width - 1 - $0, y) } ?? right
      }
      if trim.isEqualHorizontally { (left, right) = (min(left, right), min(left, right)) }
      if trim.isEqualVertically { (top, bottom) = (min(top, bottom), min(top, bottom)) }
      if (left, right, top, bottom) == (0, 0, 0, 0) { return nil }
      return (left, top, width - left - right, height - top - bottom)
    }
  }
}

/// The color of a border, and the tolerated difference.
private struct Border {
  private static let transparent: SIMD4<Int16> = [255, 0, 255, 255]
  private let color: SIMD4<Int16>
  private let threshold: Int16

  /// - Parameter upperLeft: the upper left pixel, which determines the color if the options name none.
  init(_ trim: ImageOptions.Trim, upperLeft: UnsafePointer<UInt8>) {
    threshold = Int16(trim.threshold > 0 ? min(trim.threshold, 255) : 0)
    if let (red, green, blue, _) = trim.color?.straightRGBA8 {
      color = SIMD4(Int16(red), Int16(green), Int16(blue), 255)
    } else {
      color = Self.opaque(upperLeft)
    }
  }

  func contains(_ pixel: UnsafePointer<UInt8>) -> Bool {
    let difference = Self.opaque(pixel) &- color
    return difference.max() <= threshold && difference.min() >= -threshold
  }

  /// Returns the pixel blended over the color that represents transparency.
  private static func opaque(_ pixel: UnsafePointer<UInt8>) -> SIMD4<Int16> {
    let alpha = Int16(pixel[3])
    let missing = 255 - alpha
    return SIMD4(Int16(pixel[0]) + missing, Int16(pixel[1]), Int16(pixel[2]) + missing, 255)
  }
}
