public import Foundation

extension ImagePipeline.Settings {
  /// The number of operations of each kind that run at a time, from 1 to 1,024. The defaults depend on the number of
  /// processors; see ``ImagePipeline/Configuration-swift.struct/server``.
  public struct Concurrency: Sendable, Hashable, Codable {
    /// The number of downloads.
    public var downloads: Int?
    /// The number of images that are decoded.
    public var decoding: Int?
    /// The number of images that are processed.
    public var processing: Int?
    /// The number of images that are encoded for the disk cache.
    public var encoding: Int?

    /// Creates settings with the defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case downloads, decoding, processing, encoding }

    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      downloads = try reader.value(.downloads)
      decoding = try reader.value(.decoding)
      processing = try reader.value(.processing)
      encoding = try reader.value(.encoding)
    }

    func validate() throws(Error) {
      for (value, key) in [
        (downloads, "downloads"), (decoding, "decoding"), (processing, "processing"), (encoding, "encoding"),
      ] {
        try Error.check(value, "concurrency.\(key)", in: 1...1024)
      }
    }
  }

  /// The settings of a ``DataLoader``.
  public struct Loader: Sendable, Hashable, Codable {
    /// The time limit of connecting, in seconds. The default is 15.
    public var connectTimeout: TimeInterval?
    /// The maximum time without a byte, in seconds. The default is 30.
    public var idleTimeout: TimeInterval?
    /// The time limit of a whole transfer with its retries, in seconds. The default is no limit.
    public var resourceTimeout: TimeInterval?
    /// The maximum number of connections to one host, from 1 to 1,024. The default is 6.
    public var maximumConnectionsPerHost: Int?
    /// The maximum number of redirects of a request, from 0 to 100. The default is 10.
    public var maximumRedirects: Int?
    /// The maximum number of retries after transient errors, from 0 to 100. The default is 0. See ``RetryPolicy``.
    public var maximumRetries: Int?
    /// A Boolean value that indicates whether only addresses of the public internet are allowed. The default is `false`.
    /// Set it if clients choose URLs. See ``AddressPolicy/publicOnly``.
    public var isPublicOnly: Bool?
    /// The `User-Agent` of requests. The default is `Nuke`.
    public var userAgent: String?

    /// Creates settings with the defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case connectTimeout, idleTimeout, resourceTimeout, maximumConnectionsPerHost, maximumRedirects, maximumRetries
      case isPublicOnly, userAgent
    }

    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      connectTimeout = try reader.value(.connectTimeout)
      idleTimeout = try reader.value(.idleTimeout)
      resourceTimeout = try reader.value(.resourceTimeout)
      maximumConnectionsPerHost = try reader.value(.maximumConnectionsPerHost)
      maximumRedirects = try reader.value(.maximumRedirects)
      maximumRetries = try reader.value(.maximumRetries)
      isPublicOnly = try reader.value(.isPublicOnly)
      userAgent = try reader.value(.userAgent)
    }

    func validate() throws(Error) {
      try Error.check(seconds: connectTimeout, "loader.connectTimeout")
      try Error.check(seconds: idleTimeout, "loader.idleTimeout")
      try Error.check(seconds: resourceTimeout, "loader.resourceTimeout")
      try Error.check(maximumConnectionsPerHost, "loader.maximumConnectionsPerHost", in: 1...1024)
      try Error.check(maximumRedirects, "loader.maximumRedirects", in: 0...100)
      try Error.check(maximumRetries, "loader.maximumRetries", in: 0...100)
      // A line break would begin another header field.
      if let userAgent, !userAgent.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
        throw .invalidValue(key: "loader.userAgent", expected: "printable ASCII characters")
      }
    }
  }

  /// The limits of images and responses.
  public struct Limits: Sendable, Hashable, Codable {
    /// The maximum number of pixels of an image. The default is 100 million.
    public var maximumPixelCount: Int?
    /// The maximum side of an image, in pixels. The default is 16,384.
    public var maximumSide: Int?
    /// The maximum number of frames of an animated image. The default is 10,000.
    public var maximumFrameCount: Int?
    /// The maximum size of a download, in bytes. The default is 200 MiB, or a tenth of the available memory if that is
    /// less.
    public var maximumResponseSize: Int?

    /// Creates settings with the defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case maximumPixelCount, maximumSide, maximumFrameCount, maximumResponseSize
    }

    public init(from decoder: any Decoder) throws {
      let reader = try SettingsReader<CodingKeys>(decoder)
      maximumPixelCount = try reader.value(.maximumPixelCount)
      maximumSide = try reader.value(.maximumSide)
      maximumFrameCount = try reader.value(.maximumFrameCount)
      maximumResponseSize = try reader.value(.maximumResponseSize)
    }

    func validate() throws(Error) {
      for (value, key) in [
        (maximumPixelCount, "maximumPixelCount"), (maximumSide, "maximumSide"),
        (maximumFrameCount, "maximumFrameCount"), (maximumResponseSize, "maximumResponseSize"),
      ] {
        try Error.check(value, "limits.\(key)", in: 1 ... .max)
      }
    }
  }
}
