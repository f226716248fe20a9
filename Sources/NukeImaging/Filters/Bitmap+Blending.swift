import CNukeKernels

extension Bitmap {
  /// Returns this image blended over another of the same size; `nil` if the sizes differ or memory cannot be allocated.
  ///
  /// - Parameters:
  ///   - below: the background image.
  ///   - mode: the blend mode.
  ///   - opacity: the opacity of this image, from 0 to 1.
  ///   - atop: `true` to draw this image only where the background is, and to keep the background's alpha.
  func blended(over below: Bitmap, _ mode: nuke_blend_mode, opacity: Double = 1, atop: Bool = false) -> Bitmap? {
    guard let buffer, let other = below.buffer, other.width == buffer.width, other.height == buffer.height,
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    nuke_blend(
      result.base, buffer.base, other.base, pixelWidth * pixelHeight, mode, Float(min(max(opacity, 0), 1)), atop)
    let isOpaque = result.isOpaque()
    return withExtendedLifetime((self, below)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns this image where `mask` is 255 and the other where it is 0; `nil` if the sizes differ.
  func mixed(with other: Bitmap, mask: [UInt8]) -> Bitmap? {
    guard let buffer, let second = other.buffer, second.width == buffer.width, second.height == buffer.height,
      mask.count == pixelWidth * pixelHeight, let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    nuke_mix(result.base, buffer.base, second.base, mask, mask.count)
    return withExtendedLifetime((self, other)) {
      Bitmap(result, scale: scale, isOpaque: isOpaque && (other.isOpaque || result.isOpaque()))
    }
  }

  /// Returns the image plus `amount` times its difference from a blurred version. The amount is limited to a million.
  func sharpened(with blurred: Bitmap, amount: Double, luminance: Bool) -> Bitmap? {
    guard let buffer, let soft = blurred.buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else {
      return nil
    }
    // An infinite amount times a difference of zero would be NaN.
    let times = Float(min(max(amount, -1e6), 1e6))
    nuke_add_difference(result.base, buffer.base, soft.base, pixelWidth * pixelHeight, times, luminance)
    return withExtendedLifetime((self, blurred)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns the mean of squares of 2 · radius + 1 pixels. Edge pixels extend outside the image. A radius of 0 changes
  /// nothing.
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

  /// Returns the image with copies of a smaller one drawn over it. Parts outside are clipped. Returns `nil` if the
  /// image is empty or memory cannot be allocated.
  ///
  /// - Parameters:
  ///   - above: the image to draw.
  ///   - places: the positions of the upper left corner of `above`, in pixels.
  ///   - opacity: the opacity of `above`, from 0 to 1.
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

  /// Returns the image on a canvas of another size. Parts outside are clipped.
  ///
  /// - Parameters:
  ///   - x: the position of the image's left edge on the canvas, in pixels.
  ///   - y: the position of the image's upper edge on the canvas, in pixels.
  ///   - fill: the pixel value of the canvas.
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
