import CNukeKernels

extension Bitmap {
  /// A line along the inner edge of a shape.
  package struct Outline: Hashable, Sendable {
    package let color: Color
    /// The width in pixels.
    package let width: Double

    package init(color: Color, width: Double) {
      self.color = color
      self.width = width
    }
  }

  /// Returns the part of the image inside a shape, on a transparent background; `nil` if memory cannot be allocated.
  ///
  /// Edges are anti-aliased by the exact coverage of each pixel. A shape with square corners and no outline returns the
  /// image itself; with an outline, the image stays opaque.
  ///
  /// - Parameters:
  ///   - corners: the corners of a rectangle that fills the image; see ``RoundedShape``.
  ///   - outline: a line to draw over the image.
  package func clipped(to corners: RoundedShape.Corners, outline: Outline? = nil) -> Bitmap? {
    guard let buffer else { return nil }
    let shape = RoundedShape(width: pixelWidth, height: pixelHeight, corners: corners)
    let outline = outline.flatMap { $0.width > 0 && $0.color.straightRGBA8.3 > 0 ? $0 : nil }
    if outline == nil, shape.hasSquareCorners { return self }
    guard let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let height = pixelHeight
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pixelWidth * 2) { masks in
      let outer = UnsafeMutableBufferPointer(rebasing: masks[..<pixelWidth])
      let inner = UnsafeMutableBufferPointer(rebasing: masks[pixelWidth...])
      let middle = outline.flatMap { shape.inset(by: $0.width) }
      let color = outline?.color.premultipliedBytes
      for y in 0..<(shape.isMirroredDown ? (height + 1) / 2 : height) {
        var mask = RowMask(row: shape.cover(row: y, into: outer), outer: outer, inner: inner, color: color)
        if color != nil { mask.addOutline(around: middle?.cover(row: y, into: inner)) }
        mask.apply(from: buffer.row(y), to: result.row(y))
        let mirrored = height - 1 - y
        if shape.isMirroredDown, mirrored != y { mask.apply(from: buffer.row(mirrored), to: result.row(mirrored)) }
      }
    }
    return withExtendedLifetime(self) {
      Bitmap(result, scale: scale, isOpaque: isOpaque && shape.hasSquareCorners)
    }
  }

  /// Returns the central square with the image's shorter side; the image itself if it is square. Returns `nil` if the
  /// image is empty or memory cannot be allocated.
  package func croppedToSquare() -> Bitmap? {
    let side = min(pixelWidth, pixelHeight)
    return cropped(x: (pixelWidth - side) / 2, y: (pixelHeight - side) / 2, width: side, height: side)
  }

  /// Returns a region of the image, which must be inside it; the image itself if that is all of it. Returns `nil` if
  /// the image is empty or memory cannot be allocated.
  package func cropped(x: Int, y: Int, width: Int, height: Int) -> Bitmap? {
    guard let buffer, x >= 0, y >= 0, width > 0, height > 0, width <= pixelWidth - x, height <= pixelHeight - y else {
      return nil
    }
    if (width, height) == (pixelWidth, pixelHeight) { return self }
    guard let result = PixelBuffer(width: width, height: height) else { return nil }
    for row in 0..<height {
      result.row(row).update(from: buffer.row(y + row) + x * 4, count: width * 4)
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}

/// The coverage of a row by a shape.
private struct RowMask {
  /// Pixels before and after the row are transparent, whole pixels are copied, and those in between are masked.
  var row: RoundedShape.Row
  let outer: UnsafeMutableBufferPointer<UInt8>
  let inner: UnsafeMutableBufferPointer<UInt8>
  /// The premultiplied color of the outline.
  let color: [UInt8]?

  /// Adds an outline to the mask. Pixels completely inside the outline are copied; all others of the row are masked.
  ///
  /// - Parameter middle: the row of the area inside the outline; `nil` if the row has none.
  mutating func addOutline(around middle: RoundedShape.Row?) {
    let covered = row.begin..<row.end
    outer[row.whole].update(repeating: 255)
    let inside = (middle?.begin ?? row.end)..<(middle?.end ?? row.end)
    inner[covered.lowerBound..<max(min(inside.lowerBound, row.end), row.begin)].update(repeating: 0)
    inner[min(max(inside.upperBound, row.begin), row.end)..<row.end].update(repeating: 0)
    row.whole = (middle?.whole ?? row.end..<row.end).clamped(to: covered)
  }

  func apply(from source: UnsafeMutablePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>) {
    destination.update(repeating: 0, count: row.begin * 4)
    mask(row.begin..<row.whole.lowerBound, from: source, to: destination)
    let whole = row.whole
    (destination + whole.lowerBound * 4).update(from: source + whole.lowerBound * 4, count: whole.count * 4)
    mask(whole.upperBound..<row.end, from: source, to: destination)
    (destination + row.end * 4).update(repeating: 0, count: (outer.count - row.end) * 4)
  }

  private func mask(
    _ part: Range<Int>, from source: UnsafeMutablePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>
  ) {
    guard !part.isEmpty else { return }
    let start = part.lowerBound
    let (from, to, outer) = (source + start * 4, destination + start * 4, outer.baseAddress! + start)
    if let color {
      nuke_cover_bordered(to, from, outer, inner.baseAddress! + start, color, part.count)
    } else {
      nuke_cover(to, from, outer, part.count)
    }
  }
}
