public import NukeImaging

/// The basics of what a camera writes beside an image.
public struct EXIF: Sendable, Hashable {
  /// The orientation of the stored pixels.
  public var orientation: Orientation?
  /// The manufacturer of the camera.
  public var make: String?
  /// The camera's model.
  public var model: String?
  /// The lens.
  public var lensModel: String?
  /// The time as written: `YYYY:MM:DD HH:MM:SS`, the camera's local time.
  public var dateTimeOriginal: String?
  /// Seconds.
  public var exposureTime: Double?
  /// The aperture: focal length by diameter.
  public var fNumber: Double?
  /// The sensitivity by ISO 12232.
  public var isoSpeed: Int?
  /// Millimetres.
  public var focalLength: Double?
  /// A Boolean value that indicates whether a place is recorded (which a program may want to strip).
  public var hasLocation = false

  /// Nothing recorded.
  public init() {}
}
