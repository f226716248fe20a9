public import Foundation

extension ImagePipeline.Settings {
  /// The settings of a memory cache.
  public struct MemoryCache: Sendable, Hashable, Codable {
    /// The maximum size of the pixels, in bytes; 0 for no memory cache. The default is a fifth of the available memory.
    public var sizeLimit: Int?
    /// The maximum number of images.
    public var countLimit: Int?
    /// The lifetime of an image, in seconds. The default is no limit.
    public var lifetime: TimeInterval?

    /// Creates settings with the defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case sizeLimit, countLimit, lifetime }

    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      sizeLimit = try reader.value(.sizeLimit)
      countLimit = try reader.value(.countLimit)
      lifetime = try reader.value(.lifetime)
    }

    func validate() throws(Error) {
      try Error.check(sizeLimit, "memoryCache.sizeLimit", in: 0 ... .max)
      try Error.check(countLimit, "memoryCache.countLimit", in: 1 ... .max)
      try Error.check(seconds: lifetime, "memoryCache.lifetime")
    }
  }

  /// The settings of a ``DataCache``.
  public struct DiskCache: Sendable, Hashable, Codable {
    /// The absolute path of the folder. It is required, and created if it does not exist.
    public var path: String
    /// The maximum size of all files, in bytes. The default is 150 MiB.
    public var sizeLimit: Int?
    /// The maximum age of data, in seconds since it was stored. The default is no limit.
    public var maximumAge: TimeInterval?
    /// What is stored: `automatic`, `storeOriginalData`, `storeEncodedImages` or `storeAll`. The default is
    /// `storeOriginalData`.
    public var policy: ImagePipeline.DataCachePolicy?

    /// Creates settings with the defaults.
    ///
    /// - Parameter path: the absolute path of the folder.
    public init(path: String) { self.path = path }

    private enum CodingKeys: String, CodingKey, CaseIterable { case path, sizeLimit, maximumAge, policy }

    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      // Without a path, the check of the values fails.
      path = try reader.value(.path) ?? ""
      sizeLimit = try reader.value(.sizeLimit)
      maximumAge = try reader.value(.maximumAge)
      policy = try reader.choice(.policy)
    }

    func validate() throws(Error) {
      guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw .invalidValue(key: "diskCache.path", expected: "the absolute path of a folder")
      }
      try Error.check(sizeLimit, "diskCache.sizeLimit", in: 1 ... .max)
      try Error.check(seconds: maximumAge, "diskCache.maximumAge")
    }
  }
}
