public import Foundation
public import NukeImaging

/// A decoded image with what its decoder knows of it. Cheap to copy.
public struct ImageContainer: Sendable {
  private struct Fields: Sendable {
    var image: PlatformImage
    var type: AssetType?
    var isPreview: Bool
    var original: EncodedOriginal?
    var frameSteps: [FrameStep] = []
    var stamp: FreshnessStamp?
    var userInfo: [UserInfoKey: any Sendable]
  }

  private final class Storage: Sendable {
    let fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private var storage: Storage

  private mutating func change(_ body: (inout Fields) -> Void) {
    var fields = storage.fields
    body(&fields)
    storage = Storage(fields)
  }

  /// A container of an image and what is known of it.
  public init(
    image: PlatformImage, type: AssetType? = nil, isPreview: Bool = false, data: Data? = nil,
    userInfo: [UserInfoKey: any Sendable] = [:]
  ) {
    self.init(
      image: image, type: type, isPreview: isPreview, original: data.map { EncodedOriginal($0) }, userInfo: userInfo)
  }

  init(
    image: PlatformImage, type: AssetType?, isPreview: Bool = false, original: EncodedOriginal?,
    userInfo: [UserInfoKey: any Sendable] = [:]
  ) {
    storage = Storage(
      Fields(image: image, type: type, isPreview: isPreview, original: original, userInfo: userInfo))
  }

  /// The image. Of an animated one it is the first frame; see ``animation``.
  public var image: PlatformImage {
    get { storage.fields.image }
    set { change { $0.image = newValue } }
  }

  /// The format it was decoded from, where known.
  public var type: AssetType? {
    get { storage.fields.type }
    set { change { $0.type = newValue } }
  }

  /// A Boolean value that indicates whether it is an early, incomplete version of the image.
  public var isPreview: Bool {
    get { storage.fields.isPreview }
    set { change { $0.isPreview = newValue } }
  }

  /// The encoded original, where the decoder keeps it because pixels alone do not say all. The built-in one does so for
  /// animated images, GIF and WebP of more than one frame. Processors leave it as it is.
  ///
  /// Setting it lets go of what ``animation`` was made of.
  public var data: Data? {
    get { storage.fields.original?.data }
    set {
      change {
        $0.original = newValue.map { EncodedOriginal($0) }
        $0.frameSteps = []
      }
    }
  }

  /// The encoded original of ``animation``.
  var original: EncodedOriginal? { storage.fields.original }

  /// The steps applied to the image, which are applied to each frame of ``animation`` too.
  var frameSteps: [FrameStep] {
    get { storage.fields.frameSteps }
    set { change { $0.frameSteps = newValue } }
  }

  /// The version of the original that the image was made of, if it is in a cache that tracks freshness.
  var stamp: FreshnessStamp? {
    get { storage.fields.stamp }
    set { change { $0.stamp = newValue } }
  }

  /// Anything a decoder or a processor wants to tell.
  public var userInfo: [UserInfoKey: any Sendable] {
    get { storage.fields.userInfo }
    set { change { $0.userInfo = newValue } }
  }

  /// The same container with what `transform` makes of the image.
  public func map(_ transform: (PlatformImage) throws -> PlatformImage) rethrows -> ImageContainer {
    var copy = self
    copy.image = try transform(image)
    return copy
  }

  /// A name for a value in ``ImageContainer/userInfo``.
  public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// A name of the program's own.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// The number of the scan of a JPEG, or the pass of a PNG, that a preview shows: an `Int`, from 1 on.
    public static let scanNumberKey: UserInfoKey = "scanNumber"
    /// The name of the color profile that the file has, such as "Display P3" or "BT.2100 PQ": a `String`. There is none
    /// where the file has no profile, or sRGB; the pixels are sRGB in any case.
    public static let colorProfileKey: UserInfoKey = "colorProfile"
  }
}

extension ImageContainer {
  /// Bytes it takes in memory: those of the pixels and of the encoded data that is kept.
  var byteCount: Int { image.byteCount + (data?.count ?? 0) }
}

extension ImageContainer: CustomStringConvertible {
  public var description: String {
    var parts = ["\(image)"]
    if let type { parts.append(type.rawValue) }
    if isPreview { parts.append("preview") }
    if let data { parts.append("\(data.count) bytes of data") }
    return "ImageContainer(\(parts.joined(separator: ", ")))"
  }
}
