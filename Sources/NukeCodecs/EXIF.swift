package import Foundation
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

extension EXIF {
  /// The basics that stand in a TIFF block, as in JPEG's APP1, PNG's `eXIf` and WebP's `EXIF`; `nil` if it is none.
  ///
  /// What is damaged is left out. Offsets and counts are checked against the data, and no directory is read twice, so
  /// that the work is bounded by a few hundred entries whatever the data says.
  ///
  /// - Parameter tiff: the block, from its byte order mark on. An `Exif\0\0` before that is skipped.
  package init?(tiff: Data) {
    guard let block = TIFFBlock(tiff), let main = block.directory(at: block.firstDirectory) else { return nil }
    self.init()
    orientation = main.integer(.orientation).flatMap(Orientation.init(rawValue:))
    make = main.text(.make)
    model = main.text(.model)
    hasLocation = main.directory(.gpsDirectory).map { !$0.isEmpty } ?? false
    guard let camera = main.directory(.exifDirectory) else { return }
    lensModel = camera.text(.lensModel)
    dateTimeOriginal = camera.text(.dateTimeOriginal)
    exposureTime = camera.rational(.exposureTime)
    fNumber = camera.rational(.fNumber)
    isoSpeed = camera.integer(.isoSpeed)
    focalLength = camera.rational(.focalLength)
  }

  /// The basics in an item of an ISO media file; see ``tiff(item:)``.
  init?(item: Data) {
    guard let tiff = Self.tiff(item: item) else { return nil }
    self.init(tiff: tiff)
  }

  /// The TIFF block in an item of an ISO media file (ISO/IEC 23008-12, A.2.1): four bytes that tell how far behind them it
  /// stands, and the block.
  static func tiff(item: Data) -> Data? {
    guard item.count > 4 else { return nil }
    let offset = item.withUnsafeBytes { Int($0.bigEndian32(at: 0)) }
    return offset < item.count - 4 ? item.dropFirst(4 + offset) : nil
  }

  /// The JPEG that a camera puts into the second directory of a TIFF block, if it is there whole.
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
