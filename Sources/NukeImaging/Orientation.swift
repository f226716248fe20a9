/// The orientation of stored pixels, by the values of EXIF tag 0x0112.
public enum Orientation: Int, Sendable, CaseIterable {
  /// Upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Upside down: turn by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored left to right, then turned 90° anticlockwise (the transpose).
  case leftMirrored = 5
  /// Must be turned 90° clockwise.
  case right = 6
  /// Mirrored left to right, then turned 90° clockwise (the transverse).
  case rightMirrored = 7
  /// Must be turned 90° anticlockwise.
  case left = 8

  /// A Boolean value that indicates whether width and height change places.
  public var swapsAxes: Bool { rawValue >= 5 }
}
