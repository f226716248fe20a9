import CNukeKernels

extension Bitmap {
  /// This image above another of the same size; `nil` if the sizes differ or there is no memory.
  ///
  /// - Parameters:
  ///   - below: the image that is covered.
  ///   - mode: how their colors mix.
  ///   - opacity: from 0 to 1, how much of this image counts.
  ///   - atop: whether it counts only where the other one is, whose alpha the result then has.
  func blended(over below: Bitmap, _ mode: nuke_blend_mode, opacity: Double = 1, atop: Bool = false) -> Bitmap? {
    guard let buffer, let other = below.buffer, other.width == buffer.width, other.height == buffer.height,
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    nuke_blend(
      result.base, buffer.base, other.base, pixelWidth * pixelHeight, mode, Float(min(max(opacity, 0), 1)), atop)
    let isOpaque = result.isOpaque()
    return withExtendedLifetime((self, below)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Where `mask` is 255 this image, where it is 0 the other, of the same size; `nil` if sizes differ.
  func mixed(with other: Bitmap, mask: [UInt8]) -> Bitmap? {
    guard let buffer, let second = other.buffer, second.width == buffer.width, second.height == buffer.height,
      mask.count == pixelWidth * pixelHeight, let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    nuke_mix(result.base, buffer.base, second.base, mask, mask.count)
    return withExtendedLifetime((self, other)) {
      Bitmap(result, scale: scale, isOpaque: isOpaque && (other.isOpaque || result.isOpaque()))
    }
  }

  /// The image with its difference from a blurred version of it added `amount` times, a million at most.
  func sharpened(with blurred: Bitmap, amount: Double, luminance: Bool) -> Bitmap? {
    guard let buffer, let soft = blurred.buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else {
      return nil
    }
    // An infinite amount of no difference would be no number.
    let times = Float(min(max(amount, -1e6), 1e6))
    nuke_add_difference(result.base, buffer.base, soft.base, pixelWidth * pixelHeight, times, luminance)
    return withExtendedLifetime((self, blurred)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// The means of squares of 2 · radius + 1 pixels; beyond the edges pixels repeat. A radius of 0 changes nothing.
  func boxBlurred(radius: Int) -> Bitmap? {
    guard radius > 0 else { return self }
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight),
      let middle = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: pixelWidth * 4) { sums in
      nuke_box_blur(
        result.base, middle.base, buffer.base, pixelWidth, pixelHeight, min(radius, 32767), sums.baseAddress!)
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// The image with a smaller one laid over it at some places, cut where it juts out; `nil` without pixels or memory.
  ///
  /// - Parameters:
  ///   - above: what is laid over it.
  ///   - places: where the upper left corners of `above` come to lie, in pixels.
  ///   - opacity: from 0 to 1, how much of `above` counts.
  package func covered(
    with above: Bitmap, at places: some Sequence<(x: Int, y: Int)>, opacity: Double
  ) -> Bitmap? {
    guard let buffer, let upper = above.buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else {
      return nil
    }
    result.base.update(from: buffer.base, count: buffer.byteCount)
    let share = Float(min(max(opacity, 0), 1))
    for (x, y) in places where x < pixelWidth && y < pixelHeight && x > -upper.width && y > -upper.height {
      let columns = max(x, 0)..<min(x + upper.width, pixelWidth)
      for row in max(y, 0)..<min(y + upper.height, pixelHeight) {
        let pixels = result.row(row) + columns.lowerBound * 4
        nuke_blend(
          pixels, upper.row(row - y) + (columns.lowerBound - x) * 4, pixels, columns.count, nuke_blend_normal, share,
          false)
      }
    }
    return withExtendedLifetime((self, above)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// The image on a transparent canvas of another size, cut where it juts out.
  ///
  /// - Parameters:
  ///   - x: where its left edge lies on the canvas, in pixels.
  ///   - y: where its upper edge lies.
  ///   - fill: the pixel of the canvas.
  package func placed(
    x: Int, y: Int, width: Int, height: Int, fill: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
  ) -> Bitmap? {
    guard let buffer else { return nil }
    if (x, y, width, height) == (0, 0, pixelWidth, pixelHeight) { return self }
    guard let result = PixelBuffer(width: width, height: height) else { return nil }
    let pixels = UnsafeMutableRawPointer(result.base).bindMemory(
      to: (UInt8, UInt8, UInt8, UInt8).self, capacity: width * height)
    pixels.update(repeating: fill, count: width * height)
    let columns = max(x, 0)..<max(min(x + pixelWidth, width), max(x, 0))
    let rows = max(y, 0)..<max(min(y + pixelHeight, height), max(y, 0))
    for row in rows where !columns.isEmpty {
      (result.row(row) + columns.lowerBound * 4).update(
        from: buffer.row(row - y) + (columns.lowerBound - x) * 4, count: columns.count * 4)
    }
    let covers = columns == 0..<width && rows == 0..<height
    return withExtendedLifetime(self) {
      Bitmap(result, scale: scale, isOpaque: isOpaque && (covers || fill.3 == 255))
    }
  }
}
