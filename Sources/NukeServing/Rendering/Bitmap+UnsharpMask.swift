import NukeImaging

extension Bitmap {
  /// Returns the sharpened image. The pixels at the edges are repeated outside, and the alpha is not changed. Returns `nil`
  /// if memory cannot be allocated.
  func sharpened(by mask: ImageOptions.UnsharpMask) -> Bitmap? {
    let amount = mask.weight / mask.divider
    guard amount > 0 else { return self }
    guard let source = buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    // An infinite amount times a difference of zero would be NaN.
    let factor = Float(min(amount, 1e6))
    func row(_ y: Int) -> UnsafePointer<SIMD4<UInt8>> {
      UnsafeRawPointer(source.row(min(max(y, 0), pixelHeight - 1))).assumingMemoryBound(to: SIMD4<UInt8>.self)
    }
    for y in 0..<pixelHeight {
      let (above, here, below) = (row(y - 1), row(y), row(y + 1))
      func column(_ x: Int) -> SIMD4<Int32> {
        SIMD4(truncatingIfNeeded: above[x]) &+ SIMD4(truncatingIfNeeded: here[x])
          &+ SIMD4(truncatingIfNeeded: below[x])
      }
      let sharpened = UnsafeMutableRawPointer(result.row(y)).bindMemory(to: SIMD4<UInt8>.self, capacity: pixelWidth)
      var (left, middle) = (column(0), column(0))
      for x in 0..<pixelWidth {
        let right = column(min(x + 1, pixelWidth - 1))
        let pixel = SIMD4<Int32>(truncatingIfNeeded: here[x])
        let difference = 9 &* pixel &- (left &+ middle &+ right)
        let value = SIMD4<Float>(pixel) + SIMD4<Float>(difference) * factor
        let bounded = value.clamped(lowerBound: .zero, upperBound: .init(repeating: Float(pixel.w)))
        sharpened[x] = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(bounded.rounded(.toNearestOrAwayFromZero)))
        sharpened[x].w = here[x].w
        (left, middle) = (middle, right)
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}
