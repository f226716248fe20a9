import CNukeKernels

extension Bitmap {
  /// A line along the inside of a shape's edge.
  package struct Outline: Hashable, Sendable {
    package let color: Color
    /// In pixels.
    package let width: Double

    package init(color: Color, width: Double) {
      self.color = color
      self.width = width
    }
  }

  /// The part of the picture within a shape, the rest transparent; nil where there is no memory for the result.
  ///
  /// Edges are smooth: a pixel keeps as much as the shape covers of it. A shape with square corners and no outline gives
  /// this very picture, and one with an outline keeps it opaque.
  ///
  /// - Parameters:
  ///   - corners: of a rectangle that fills the picture; see ``RoundedShape``.
  ///   - outline: drawn over the picture.
  package func clipped(to corners: RoundedShape.Corners, outline: Outline? = nil) -> Bitmap? {
    guard let buffer else { return nil }
    let shape = RoundedShape(width: pixelWidth, height: pixelHeight, corners: corners)
    let outline = outline.flatMap { $0.width > 0 && $0.color.straightRGBA8.3 > 0 ? $0 : nil }
    if outline == nil, shape.hasSquareCorners { return self }
    guard let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let width = pixelWidth
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width * 2) { masks in
      let outer = UnsafeMutableBufferPointer(rebasing: masks[..<width])
      let inner = UnsafeMutableBufferPointer(rebasing: masks[width...])
      let middle = outline.flatMap { shape.inset(by: $0.width) }
      let colour = outline?.color.premultipliedBytes ?? []
      for y in 0..<pixelHeight {
        let (source, destination) = (buffer.row(y), result.row(y))
        var kept = shape.cover(row: y, into: outer)
        if outline != nil {
          UnsafeMutableBufferPointer(rebasing: outer[kept]).update(repeating: 255)
          if let middle {
            kept = middle.cover(row: y, into: inner)
          } else {
            inner.update(repeating: 0)
            kept = width..<width
          }
        }
        for part in [0..<kept.lowerBound, kept.upperBound..<width] where !part.isEmpty {
          let start = part.lowerBound
          let (to, from) = (destination + start * 4, source + start * 4)
          if outline == nil {
            nuke_cover(to, from, outer.baseAddress! + start, part.count)
          } else {
            nuke_cover_bordered(
              to, from, outer.baseAddress! + start, inner.baseAddress! + start, colour, part.count)
          }
        }
        (destination + kept.lowerBound * 4).update(from: source + kept.lowerBound * 4, count: kept.count * 4)
      }
    }
    return withExtendedLifetime(self) {
      Bitmap(result, scale: scale, isOpaque: isOpaque && shape.hasSquareCorners)
    }
  }

  /// The middle of the picture as a square of its shorter side; itself where it is one. Nil without pixels or memory.
  package func croppedToSquare() -> Bitmap? {
    let side = min(pixelWidth, pixelHeight)
    return cropped(x: (pixelWidth - side) / 2, y: (pixelHeight - side) / 2, width: side, height: side)
  }

  /// A part of the picture, which must lie within it; itself where that is all. Nil without pixels or memory.
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
