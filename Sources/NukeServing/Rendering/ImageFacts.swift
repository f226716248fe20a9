public import Foundation
public import Nuke
import NukeCodecs
import NukeImaging

/// The facts about an image, encoded as JSON. The location is not included.
public struct ImageFacts: Sendable, Hashable, Codable {
  /// The format's short name, such as `jpeg`.
  public var format: String
  /// The media type, such as `image/jpeg`.
  public var mediaType: String
  /// The width of the upright image in pixels.
  public var width: Int
  /// The height of the upright image in pixels.
  public var height: Int
  /// The orientation of the stored pixels as an EXIF value; 1 is upright.
  public var orientation: Int
  /// The number of frames; 1 for a still image.
  public var frames: Int
  /// The duration of one pass of the animation in seconds; `nil` for a still image.
  public var duration: Double?
  /// The number of times the animation plays, 0 for forever; `nil` for a still image.
  public var loops: Int?
  /// The size of the file in bytes.
  public var bytes: Int
  /// A Boolean value that indicates whether the file can hold transparent pixels.
  public var alpha: Bool
  /// The name of the color profile; `nil` if there is none.
  public var profile: String?
  public var exif: Camera?
  /// The placeholders, by the names of ``ImageOptions/Placeholder``; `nil` if none were requested.
  public var placeholders: [String: String]?

  /// The camera's metadata. Values that the camera did not write are `nil`.
  public struct Camera: Sendable, Hashable, Codable {
    public var make: String?
    public var model: String?
    public var lens: String?
    /// The camera's local time: `YYYY:MM:DD HH:MM:SS`.
    public var taken: String?
    /// The exposure time in seconds.
    public var exposureTime: Double?
    public var fNumber: Double?
    public var iso: Int?
    /// The focal length in millimeters.
    public var focalLength: Double?
  }

  init(_ header: ImageHeader, byteCount: Int) {
    format = header.format.rawValue
    mediaType = header.format.mediaType
    width = header.pixelWidth
    height = header.pixelHeight
    orientation = header.orientation.rawValue
    frames = header.frameCount ?? 1
    if frames > 1 {
      duration = header.duration
      loops = header.loopCount
    }
    bytes = byteCount
    alpha = header.hasAlpha
    profile = header.profileName
    let camera = header.exif.map(Camera.init)
    exif = camera == Camera(EXIF()) ? nil : camera
  }

  /// The facts as a JSON object with sorted keys. Equal facts have equal bytes.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The only failure is a number that JSON cannot express, which a parsed header does not contain.
    return (try? encoder.encode(self)) ?? Data("{}".utf8)
  }
}

extension ImageFacts.Camera {
  fileprivate init(_ exif: EXIF) {
    make = exif.make
    model = exif.model
    lens = exif.lensModel
    taken = exif.dateTimeOriginal
    exposureTime = exif.exposureTime
    fNumber = exif.fNumber
    iso = exif.isoSpeed
    focalLength = exif.focalLength
  }
}

extension Renderer {
  /// Returns the facts in the header of a source. Decodes nothing.
  ///
  /// - Throws: ``ServingError/notAnImage(_:)``, ``ServingError/tooLarge(_:)``.
  public func facts(of source: Data) throws(ServingError) -> ImageFacts {
    try facts(of: source) { () throws(ServingError) in try reader(of: source) }
  }

  /// - Parameter open: returns a reader of the source.
  package func facts(
    of source: Data, _ open: () throws(ServingError) -> any ImageReader
  ) throws(ServingError) -> ImageFacts {
    try limits.check(sourceBytes: source.count)
    return ImageFacts(try open().header, byteCount: source.count)
  }

  /// Returns the facts with placeholders. Decodes a small version of the image once.
  public func facts(
    of source: Data, with placeholders: Set<ImageOptions.Placeholder>, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageFacts {
    var facts = try facts(of: source)
    guard !placeholders.isEmpty else { return facts }
    var options = ImageOptions()
    (options.width, options.height) = (128, 128)
    let processor = try processor(for: options, try reader(of: source), isMoving: false)
    let container = try await container(of: source, processor, in: pipeline)
    facts.placeholders = try await pipeline.encoding { _ in
      try Dictionary(uniqueKeysWithValues: placeholders.map { ($0.rawValue, try container.image.placeholderText($0)) })
    }
    return facts
  }
}
