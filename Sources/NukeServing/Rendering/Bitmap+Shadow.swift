import NukeImaging

extension Bitmap {
  /// Returns the image over a black shadow of its shape, on a larger canvas. Returns `nil` if memory cannot be allocated.
  ///
  /// - Parameter sigma: the standard deviation of the blur of the shadow, in pixels, up to 100.
  /// - Returns: the image, and the width of the canvas around it, in pixels.
  func shadowed(sigma: Double) -> (image: Bitmap, margin: Int)? {
    guard sigma > 0, pixelWidth > 0 else { return (self, 0) }
    guard let (shadow, margin) = shadow(sigma: sigma),
      let result = shadow.covered(with: self, at: CollectionOfOne((x: margin, y: margin)), opacity: 1)
    else { return nil }
    return (result, margin)
  }

  /// Returns a black shadow of the image's shape, on a larger canvas. Returns `nil` if memory cannot be allocated.
  ///
  /// - Parameter sigma: the standard deviation of the blur, in pixels: more than 0, and up to 100.
  /// - Returns: the shadow, and the width of the canvas around the image, in pixels.
  func shadow(sigma: Double) -> (image: Bitmap, margin: Int)? {
    // The canvas is at most 300 pixels larger on each side.
    let sigma = min(sigma, 100)
    let margin = Int((3 * sigma).rounded(.up))
    guard
      let canvas = placed(
        x: margin, y: margin, width: pixelWidth + 2 * margin, height: pixelHeight + 2 * margin),
      let shadow = canvas.silhouette()?.gaussianBlurred(sigma: sigma)
    else { return nil }
    return (shadow, margin)
  }

  /// Returns an image that is black, with the same alpha.
  private func silhouette() -> Bitmap? {
    guard let source = buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let pixels = UnsafeRawPointer(source.base).assumingMemoryBound(to: SIMD4<UInt8>.self)
    let black = UnsafeMutableRawPointer(result.base).bindMemory(
      to: SIMD4<UInt8>.self, capacity: pixelWidth * pixelHeight)
    for index in 0..<pixelWidth * pixelHeight { black[index] = SIMD4(0, 0, 0, pixels[index].w) }
    return withExtendedLifetime(self) { Bitmap(result, isOpaque: isOpaque) }
  }
}
