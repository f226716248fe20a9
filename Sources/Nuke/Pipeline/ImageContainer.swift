public import Foundation
public import NukeImaging

/// A decoded image and its metadata. Cheap to copy.
public struct ImageContainer: Sendable {
  private struct Fields: Sendable {
    var image: PlatformImage
    var type: AssetType?
    var isPreview: Bool
    var original: EncodedOriginal?
    var frameSteps: [FrameStep] = []
    var stamp: FreshnessStamp?
    var isFromLargerImage = false
    var colorProfileName: String?
    var damage: ImageDamage?
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

  /// Creates a container with an image and its metadata.
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

  /// The image. For an animated image, the first frame; see ``animation``.
  public var image: PlatformImage {
    get { storage.fields.image }
    set { change { $0.image = newValue } }
  }

  /// The format of the encoded image, if known.
  public var type: AssetType? {
    get { storage.fields.type }
    set { change { $0.type = newValue } }
  }

  /// A Boolean value that indicates whether it is an early, incomplete version of the image.
  public var isPreview: Bool {
    get { storage.fields.isPreview }
    set { change { $0.isPreview = newValue } }
  }

  /// The encoded original, if the decoder keeps it. The default decoder keeps the data of videos, GIF and animated
  /// images. Processors do not change it.
  ///
  /// Setting it also replaces the source of ``animation``.
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

  /// The version of the original from which the image was made, if it is in a cache that tracks freshness.
  var stamp: FreshnessStamp? {
    get { storage.fields.stamp }
    set { change { $0.stamp = newValue } }
  }

  /// `true` for an image in a memory cache that was made from a larger one in the disk cache.
  var isFromLargerImage: Bool {
    get { storage.fields.isFromLargerImage }
    set { change { $0.isFromLargerImage = newValue } }
  }

  /// The name of the color profile in the file, such as "Display P3" or "BT.2100 PQ"; `nil` for sRGB and for files without
  /// a profile. The pixels are sRGB in any case.
  public var colorProfileName: String? {
    get { storage.fields.colorProfileName }
    set { change { $0.colorProfileName = newValue } }
  }

  /// The damage of the image, which shows what can be decoded; `nil` for a complete image. Processors do not change it.
  ///
  /// The pipeline does not store the image on disk. With `DamageTolerance.strict`, ``ImageDecoders/Default`` reports damage
  /// as an error instead.
  public var damage: ImageDamage? {
    get { storage.fields.damage }
    set { change { $0.damage = newValue } }
  }

  /// Values that decoders and processors add. The built-in decoder adds ``UserInfoKey/scanNumberKey`` to previews.
  public var userInfo: [UserInfoKey: any Sendable] {
    get { storage.fields.userInfo }
    set { change { $0.userInfo = newValue } }
  }

  /// Returns the container with the image that `transform` returns.
  public func map(_ transform: (PlatformImage) throws -> PlatformImage) rethrows -> ImageContainer {
    var copy = self
    copy.image = try transform(image)
    return copy
  }

  /// A name for a value in ``ImageContainer/userInfo``.
  public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Creates a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// The number of the JPEG scan or PNG pass that a preview shows: an `Int`, starting at 1.
    public static let scanNumberKey: UserInfoKey = "scanNumber"
    /// A key without a value. The name of the color profile is in ``ImageContainer/colorProfileName``.
    @available(*, deprecated, message: "There is no value for it; use ImageContainer.colorProfileName")
    public static let colorProfileKey: UserInfoKey = "colorProfile"
  }
}

extension ImageContainer {
  /// The size in memory, in bytes: pixels and encoded data.
  var byteCount: Int { image.byteCount + (data?.count ?? 0) }

  /// The cost in the memory cache: ``byteCount``, where an image without pixels counts as one byte.
  var cost: Int { max(1, image.byteCount) + (data?.count ?? 0) }
}

extension ImageContainer: CustomStringConvertible {
  public var description: String {
    var parts = ["\(image)"]
    if let type { parts.append(type.rawValue) }
    if isPreview { parts.append("preview") }
    if damage != nil { parts.append("damaged") }
    if let data { parts.append("\(data.count) bytes of data") }
    return "ImageContainer(\(parts.joined(separator: ", ")))"
  }
}
