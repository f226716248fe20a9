import NukeImaging

extension Bitmap {
  /// Returns the image without the transparent rows and columns at its edges. Returns `nil` if all of it is transparent.
  func croppedToInk() -> Bitmap? {
    guard let source = buffer else { return nil }
    var (left, right, top, bottom) = (pixelWidth, 0, pixelHeight, 0)
    for y in 0..<pixelHeight {
      let pixels = UnsafeRawPointer(source.row(y)).assumingMemoryBound(to: SIMD4<UInt8>.self)
      guard let first = (0..<pixelWidth).first(where: { pixels[$0].w > 0 }) else { continue }
      let last = (first..<pixelWidth).last { pixels[$0].w > 0 } ?? first
      (left, right) = (min(left, first), max(right, last + 1))
      (top, bottom) = (min(top, y), y + 1)
    }
    guard left < right else { return nil }
    return withExtendedLifetime(self) { cropped(x: left, y: top, width: right - left, height: bottom - top) }
  }
}
