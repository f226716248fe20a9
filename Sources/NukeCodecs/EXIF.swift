public import NukeImaging

/// The basics of what a camera writes beside a picture.
public struct EXIF: Sendable, Hashable {
  public var orientation: Orientation?
  public var make: String?
  public var model: String?
  public var lensModel: String?
  /// As written: `YYYY:MM:DD HH:MM:SS`, the camera's local time.
  public var dateTimeOriginal: String?
  /// Seconds.
  public var exposureTime: Double?
  public var fNumber: Double?
  public var isoSpeed: Int?
  /// Millimetres.
  public var focalLength: Double?
  /// Whether a place is recorded (which a program may want to strip).
  public var hasLocation = false

  public init() {}
}
