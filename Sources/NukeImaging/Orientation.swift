internal import CNukeKernels

/// The orientation of stored pixels, by the values of EXIF tag 0x0112.
public enum Orientation: Int, Sendable, CaseIterable {
  /// Upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Upside down: rotate by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored left to right, then rotated 90° counterclockwise (the transpose).
  case leftMirrored = 5
  /// Must be rotated 90° clockwise.
  case right = 6
  /// Mirrored left to right, then rotated 90° clockwise (the transverse).
  case rightMirrored = 7
  /// Must be rotated 90° counterclockwise.
  case left = 8

  /// A Boolean value that indicates whether width and height are swapped.
  public var swapsAxes: Bool { rawValue >= 5 }
}

extension Orientation {
  /// Returns the pixels in upright orientation; `buffer` itself if they already are, and `nil` if memory cannot be
  /// allocated.
  package func apply(to buffer: PixelBuffer) -> PixelBuffer? {
    if self == .up { return buffer }
    let (width, height) = (buffer.width, buffer.height)
    guard let result = PixelBuffer(width: swapsAxes ? height : width, height: swapsAxes ? width : height) else {
      return nil
    }
    // An upside-down image is read from its last row, with rows in reverse order.
    let (rows, backwards) = (buffer.bytesPerRow, -buffer.bytesPerRow)
    let (resultRows, resultBackwards) = (result.bytesPerRow, -result.bytesPerRow)
    let (first, last) = (buffer.base, buffer.row(height - 1))
    switch self {
    case .up: break
    case .upMirrored: nuke_mirror_rows(result.base, resultRows, first, rows, width, height)
    case .down: nuke_mirror_rows(result.base, resultRows, last, backwards, width, height)
    case .downMirrored:
      for y in 0..<height { result.row(y).update(from: buffer.row(height - 1 - y), count: rows) }
    case .leftMirrored: nuke_transpose(result.base, resultRows, first, rows, width, height)
    case .right: nuke_transpose(result.base, resultRows, last, backwards, width, height)
    case .rightMirrored:
      nuke_transpose(result.row(result.height - 1), resultBackwards, last, backwards, width, height)
    case .left: nuke_transpose(result.row(result.height - 1), resultBackwards, first, rows, width, height)
    }
    return result
  }
}
