public import Foundation
public import NukeImaging

/// A decoded picture with what its decoder knows of it. Cheap to copy.
public struct ImageContainer: Sendable {
  private final class Storage: Sendable {
    let image: PlatformImage
    let type: AssetType?
    let isPreview: Bool
    let data: Data?
    let userInfo: [UserInfoKey: any Sendable]

    init(
      image: PlatformImage, type: AssetType?, isPreview: Bool, data: Data?, userInfo: [UserInfoKey: any Sendable]
    ) {
      self.image = image
      self.type = type
      self.isPreview = isPreview
      self.data = data
      self.userInfo = userInfo
    }
  }

  private var storage: Storage

  /// A container of a picture and what is known of it.
  public init(
    image: PlatformImage, type: AssetType? = nil, isPreview: Bool = false, data: Data? = nil,
    userInfo: [UserInfoKey: any Sendable] = [:]
  ) {
    storage = Storage(image: image, type: type, isPreview: isPreview, data: data, userInfo: userInfo)
  }

  /// The picture.
  public var image: PlatformImage {
    get { storage.image }
    set { storage = Storage(image: newValue, type: type, isPreview: isPreview, data: data, userInfo: userInfo) }
  }

  /// The format it was decoded from, where known.
  public var type: AssetType? {
    get { storage.type }
    set { storage = Storage(image: image, type: newValue, isPreview: isPreview, data: data, userInfo: userInfo) }
  }

  /// Whether it is an early, incomplete version of the picture.
  public var isPreview: Bool {
    get { storage.isPreview }
    set { storage = Storage(image: image, type: type, isPreview: newValue, data: data, userInfo: userInfo) }
  }

  /// The encoded picture, where the decoder keeps it because pixels alone do not say all, as for moving pictures.
  public var data: Data? {
    get { storage.data }
    set { storage = Storage(image: image, type: type, isPreview: isPreview, data: newValue, userInfo: userInfo) }
  }

  /// Anything a decoder or a processor wants to tell.
  public var userInfo: [UserInfoKey: any Sendable] {
    get { storage.userInfo }
    set { storage = Storage(image: image, type: type, isPreview: isPreview, data: data, userInfo: newValue) }
  }

  /// The same container with what `transform` makes of the picture.
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
