package import Foundation
public import NukeImaging

/// The basic metadata that a camera writes.
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
  /// The exposure time in seconds.
  public var exposureTime: Double?
  /// The aperture: the focal length divided by the diameter.
  public var fNumber: Double?
  /// The sensitivity (ISO 12232).
  public var isoSpeed: Int?
  /// The focal length in millimeters.
  public var focalLength: Double?
  /// A Boolean value that indicates whether a location is recorded, which a program may want to remove.
  public var hasLocation = false
  /// The recorded location; `nil` if there is none, or if its coordinates are damaged.
  public var location: Location?

  /// Creates empty metadata.
  public init() {}
}

extension EXIF {
  /// Reads the basic metadata from a TIFF block, as in JPEG's APP1, PNG's `eXIf` and WebP's `EXIF`. Returns `nil` if it
  /// is not a TIFF block.
  ///
  /// Damaged values are ignored. Offsets and counts are checked against the data, and no directory is read twice, so
  /// the work is limited to a few hundred entries.
  ///
  /// - Parameter tiff: the block, beginning with its byte order mark. A preceding `Exif\0\0` is skipped.
  package init?(tiff: Data) {
    guard let block = TIFFBlock(tiff), let main = block.directory(at: block.firstDirectory) else { return nil }
    self.init()
    orientation = main.integer(.orientation).flatMap(Orientation.init(rawValue:))
    make = main.text(.make)
    model = main.text(.model)
    let gps = main.directory(.gpsDirectory)
    hasLocation = gps.map { !$0.isEmpty } ?? false
    location = gps.flatMap(Location.init)
    guard let camera = main.directory(.exifDirectory) else { return }
    lensModel = camera.text(.lensModel)
    dateTimeOriginal = camera.text(.dateTimeOriginal)
    exposureTime = camera.rational(.exposureTime)
    fNumber = camera.rational(.fNumber)
    isoSpeed = camera.integer(.isoSpeed)
    focalLength = camera.rational(.focalLength)
  }

  /// Reads the basic metadata from an item of an ISO media file; see ``tiff(item:)``.
  init?(item: Data) {
    guard let tiff = Self.tiff(item: item) else { return nil }
    self.init(tiff: tiff)
  }

  /// Returns the TIFF block of an item of an ISO media file (ISO/IEC 23008-12, A.2.1): a four-byte offset, followed by the
  /// block.
  static func tiff(item: Data) -> Data? {
    guard item.count > 4 else { return nil }
    let offset = item.withUnsafeBytes { Int($0.bigEndian32(at: 0)) }
    return offset < item.count - 4 ? item.dropFirst(4 + offset) : nil
  }

  /// Returns the JPEG thumbnail in the second directory of a TIFF block, if it is complete.
  package static func embeddedThumbnail(tiff: Data) -> Data? {
    guard
      let block = TIFFBlock(tiff), let main = block.directory(at: block.firstDirectory),
      let second = block.directory(at: main.next), second.offset != main.offset,
      let offset = second.integer(.thumbnailOffset), let length = second.integer(.thumbnailLength),
      let bytes = block.bytes(offset..<(offset + length)), bytes.starts(with: [0xFF, 0xD8, 0xFF])
    else { return nil }
    return Data(bytes)
  }
}
