import NukeImaging

/// A rectangle in whole pixels, with its origin at the upper left.
struct PixelRect: Sendable, Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns the part inside a canvas of `width` x `height` pixels.
  func clipped(toWidth width: Int, height: Int) -> PixelRect {
    let (left, top) = (max(x, 0), max(y, 0))
    return PixelRect(
      x: left, y: top, width: max(min(x + self.width, width) - left, 0),
      height: max(min(y + self.height, height) - top, 0))
  }
}

/// Draws frames in order, and returns the canvas after each.
///
/// The canvas has no buffer of its own. It is the most recently returned image, which is immutable. The next frame is
/// drawn on a copy of it; a frame that covers it completely needs no copy.
struct AnimationCanvas {
  /// The disposal of a frame's area before the next frame is drawn.
  enum Disposal: Sendable {
    case keep, clear, restorePrevious
  }

  /// The effect of a frame on its area.
  enum Coverage {
    /// Writes every pixel, with full opacity.
    case opaque
    /// Writes every pixel.
    case complete
    /// Some pixels of the canvas remain visible.
    case partial
  }

  let format: ImageFormat
  let width: Int
  let height: Int
  /// The pixels on which the next frame is drawn, after clearing `hole`; `nil` for a transparent canvas.
  private var base: Bitmap?
  private var hole: PixelRect?

  init(format: ImageFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }

  /// `true` if the canvas below the next frame is transparent, so that the frame may write transparent pixels instead
  /// of skipping them.
  var isBlank: Bool { base == nil }

  mutating func reset() {
    base = nil
    hole = nil
  }

  /// Returns the canvas after drawing a frame in `area`, which must be inside it.
  ///
  /// - Parameter draw: receives the premultiplied pixels, in which everything outside `area` is complete. With
  ///   ``Coverage/partial``, the area contains the previous canvas; otherwise, its contents are undefined.
  mutating func draw(
    in area: PixelRect, coverage: Coverage, disposal: Disposal,
    _ draw: (PixelBuffer) throws(CodecError) -> Void
  ) throws(CodecError) -> Bitmap {
    if area.isEmpty, hole == nil, let base { return base }
    let buffer = try PixelBuffer.allocate(format, width: width, height: height)
    let replaced = coverage == .partial ? PixelRect(x: 0, y: 0, width: 0, height: 0) : area
    fill(buffer, outside: replaced)
    if !area.isEmpty { try draw(buffer) }

    let isOpaque: Bool
    if coverage == .opaque, area.width == width, area.height == height {
      isOpaque = true
    } else if coverage != .complete, let base, base.isOpaque, hole == nil {
      isOpaque = true
    } else {
      isOpaque = buffer.hasOnlyOpaquePixels
    }
    let image = Bitmap(buffer, isOpaque: isOpaque)
    switch disposal {
    case .keep:
      base = image
      hole = nil
    case .clear:
      base = area.width == width && area.height == height ? nil : image
      hole = area.isEmpty || base == nil ? nil : area
    case .restorePrevious:
      break
    }
    return image
  }

  private func fill(_ buffer: PixelBuffer, outside replaced: PixelRect) {
    for y in 0..<height {
      let isReplaced = replaced.height > 0 && y >= replaced.y && y < replaced.y + replaced.height
      if isReplaced {
        fill(buffer, row: y, from: 0, to: replaced.x)
        fill(buffer, row: y, from: replaced.x + replaced.width, to: width)
      } else {
        fill(buffer, row: y, from: 0, to: width)
      }
    }
  }

  private func fill(_ buffer: PixelBuffer, row y: Int, from start: Int, to end: Int) {
    guard start < end else { return }
    let target = buffer.row(y)
    guard let source = base?.buffer?.row(y) else {
      return (target + start * 4).update(repeating: 0, count: (end - start) * 4)
    }
    (target + start * 4).update(from: source + start * 4, count: (end - start) * 4)
    if let hole, y >= hole.y, y < hole.y + hole.height {
      let (left, right) = (max(hole.x, start), min(hole.x + hole.width, end))
      if left < right { (target + left * 4).update(repeating: 0, count: (right - left) * 4) }
    }
  }
}

extension PixelBuffer {
  /// `true` if every alpha is 255. Stops at the first row with another value.
  fileprivate var hasOnlyOpaquePixels: Bool {
    (0..<height).allSatisfy { PixelKernels.best.isOpaque(row($0), count: width) }
  }
}
