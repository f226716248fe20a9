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
/// The canvas has no separate buffer. It is the most recently returned image, which is immutable. The next frame is
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
    return dispose(Bitmap(buffer, isOpaque: isOpaque), area, disposal)
  }

  /// The canvas after `image` was drawn in `area`, which lies inside of it and has the size of the image.
  ///
  /// - Parameter blends: `true` if the image is laid over the canvas; `false` if it replaces the area.
  mutating func draw(
    _ image: Bitmap, in area: PixelRect, blends: Bool, disposal: Disposal
  ) throws(CodecError) -> Bitmap {
    let blends = blends && !image.isOpaque && !isBlank
    if !blends, area.width == width, area.height == height { return dispose(image, area, disposal) }
    guard let layer = image.buffer else { throw .malformed(format, reason: "a frame is empty", offset: nil) }
    let coverage: Coverage = blends ? .partial : image.isOpaque ? .opaque : .complete
    return try draw(in: area, coverage: coverage, disposal: disposal) { buffer throws(CodecError) in
      for y in 0..<area.height {
        let (source, target) = (layer.row(y), buffer.row(area.y + y) + area.x * 4)
        if blends {
          Self.blend(source, over: target, count: area.width)
        } else {
          target.update(from: source, count: layer.bytesPerRow)
        }
      }
    }
  }

  /// Notes what the next frame is drawn on.
  private mutating func dispose(_ image: Bitmap, _ area: PixelRect, _ disposal: Disposal) -> Bitmap {
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

extension AnimationCanvas {
  /// Source over, of premultiplied pixels: source + target x (1 - alpha), rounded to nearest.
  static func blend(
    _ source: UnsafeMutablePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let source = UnsafeRawPointer(source).assumingMemoryBound(to: UInt32.self)
    let target = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
    for x in 0..<count {
      let over = UInt32(littleEndian: source[x])
      let alpha = over >> 24
      if alpha == 255 {
        target[x] = source[x]
      } else if alpha != 0 {
        let under = UInt32(littleEndian: target[x])
        // Two channels at once, 16 bits each; x / 255 rounded is (x + 128 + ((x + 128) >> 8)) >> 8.
        var low = (under & 0x00FF_00FF) &* (255 - alpha) &+ 0x0080_0080
        var high = (under >> 8 & 0x00FF_00FF) &* (255 - alpha) &+ 0x0080_0080
        low = (low &+ (low >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
        high = (high &+ (high >> 8 & 0x00FF_00FF)) & 0xFF00_FF00
        target[x] = UInt32(littleEndian: over &+ (low | high))
      }
    }
  }
}

extension Bitmap {
  /// The image turned as `orientation` asks.
  func upright(_ orientation: Orientation, _ format: ImageFormat) throws(CodecError) -> Bitmap {
    guard orientation != .up, let buffer else { return self }
    return try buffer.upright(orientation, isOpaque: isOpaque, format)
  }
}

extension PixelBuffer {
  /// `true` if every alpha is 255. Stops at the first row with another value.
  fileprivate var hasOnlyOpaquePixels: Bool {
    (0..<height).allSatisfy { PixelKernels.best.isOpaque(row($0), count: width) }
  }
}
