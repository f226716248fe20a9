public import Foundation

extension ImagePipeline {
  /// The settings of a service's pipeline as a value that can be stored in a file.
  ///
  /// ```swift
  /// let settings = try ImagePipeline.Settings(json: Data(contentsOf: file))
  /// let pipeline = ImagePipeline(configuration: try ImagePipeline.Configuration(settings: settings))
  /// ```
  ///
  /// Each property that is `nil` has the value of ``ImagePipeline/Configuration-swift.struct/server``. Decoding is strict:
  /// an unknown key and a value that cannot be used are errors that name the key. Sizes are in bytes, and times in
  /// seconds.
  public struct Settings: Sendable, Hashable, Codable {
    /// The memory cache. The default is ``ImageCache/shared``.
    public var memoryCache: MemoryCache?
    /// The disk cache. The default is none.
    public var diskCache: DiskCache?
    /// The number of operations of each kind that run at a time.
    public var concurrency: Concurrency?
    /// The timeouts and other settings of the data loader.
    public var loader: Loader?
    /// The limits of images and responses.
    public var limits: Limits?
    /// A Boolean value that indicates whether the rate of downloads is limited to 80 a second, with bursts of 25.
    public var isRateLimiterEnabled: Bool?
    /// How the pipeline treats the freshness of cached images: `ignore`, `respect` or `revalidate`.
    public var freshnessPolicy: FreshnessPolicy?

    /// Creates settings that change nothing.
    public init() {}

    /// Reads settings from the contents of a JSON file.
    public init(json data: Data) throws(Error) {
      do {
        self = try JSONDecoder().decode(Self.self, from: data)
      } catch let error as Error {
        throw error
      } catch {
        throw .invalidJSON
      }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case memoryCache, diskCache, concurrency, loader, limits, isRateLimiterEnabled, freshnessPolicy
    }

    /// Reads settings.
    ///
    /// - Throws: ``Error`` that names the key that is unknown, or whose value cannot be used.
    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      memoryCache = try reader.value(.memoryCache)
      diskCache = try reader.value(.diskCache)
      concurrency = try reader.value(.concurrency)
      loader = try reader.value(.loader)
      limits = try reader.value(.limits)
      isRateLimiterEnabled = try reader.value(.isRateLimiterEnabled)
      freshnessPolicy = try reader.choice(.freshnessPolicy)
      try validate()
    }

    /// Throws an error that names the key if a value cannot be used. Decoding and
    /// ``ImagePipeline/Configuration-swift.struct/init(settings:)`` do this.
    public func validate() throws(Error) {
      try memoryCache?.validate()
      try diskCache?.validate()
      try concurrency?.validate()
      try loader?.validate()
      try limits?.validate()
    }
  }
}
