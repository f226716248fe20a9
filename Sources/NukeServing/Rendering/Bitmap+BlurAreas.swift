import NukeImaging

extension Bitmap {
  /// Returns the image with blurred parts. Returns `nil` if memory cannot be allocated.
  ///
  /// - Parameter parts: the parts in pixels, which may lie outside. Every pixel that they touch is blurred.
  func blurred(_ parts: [PixelRegion], sigma: Double) -> Bitmap? {
    guard sigma > 0 else { return self }
    let rows = parts.compactMap { part -> (x: Range<Int>, y: Range<Int>)? in
      let x = Self.pixels(part.x, part.width, of: pixelWidth)
      let y = Self.pixels(part.y, part.height, of: pixelHeight)
      return x.isEmpty || y.isEmpty ? nil : (x, y)
    }
    guard !rows.isEmpty else { return self }
    // One blur of the whole image, so that the number of parts does not matter.
    guard let source = buffer, let blurred = gaussianBlurred(sigma: sigma), let soft = blurred.buffer,
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    result.base.update(from: source.base, count: source.byteCount)
    for part in rows {
      for y in part.y {
        (result.row(y) + part.x.lowerBound * 4).update(
          from: soft.row(y) + part.x.lowerBound * 4, count: part.x.count * 4)
      }
    }
    return withExtendedLifetime((self, blurred)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns the pixels that a range touches; none if it lies outside, or has no length.
  private static func pixels(_ start: Double, _ length: Double, of side: Int) -> Range<Int> {
    guard length > 0, start < Double(side), start + length > 0 else { return 0..<0 }
    let lower = start.rounded(.down).bounded(to: side)
    return lower..<max((start + length).rounded(.up).bounded(to: side), lower)
  }
}
