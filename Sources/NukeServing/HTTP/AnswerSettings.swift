public import NukeCodecs

/// The settings of responses over HTTP.
public struct AnswerSettings: Sendable, Hashable {
  // MARK: What clients choose

  /// Formats that clients get which accept them, best first, where the URL names none; empty for none. Those that this
  /// build does not write are left out.
  public var offeredFormats: [ImageFormat] = [.avif, .webp, .jxl]
  /// The client hints that are used.
  public var clientHints: ClientHints = []
  /// The quality for clients that save data, from 1 to 100.
  public var saveDataQuality = 50

  // MARK: Caching

  /// Seconds for which an answer is fresh where nothing is known of its source's freshness.
  public var freshness = 3600
  /// A Boolean value that indicates whether an answer is fresh for as long as its source is; otherwise for
  /// ``freshness``.
  public var passesFreshness = true
  /// The longest time for which an answer is fresh, in seconds.
  public var maximumFreshness = 31_536_000
  /// Seconds behind those for which caches may use an answer while they ask for a new one; `nil` for none.
  public var staleWhileRevalidate: Int?
  /// A Boolean value that indicates whether a signed URL with a ``ImageOptions/cacheBuster`` is a promise that its
  /// answer never changes.
  public var trustsCacheBusters = false
  /// The freshness lifetime of errors that the request causes, in seconds.
  public var errorFreshness = 10

  // MARK: Other sites

  public enum Origins: Sendable, Hashable {
    /// Scripts of other sites get no access.
    case none
    case any
    /// Such as `https://example.com`.
    case only(Set<String>)
  }

  /// Whose scripts may read the images (CORS).
  public var allowedOrigins: Origins = .any
  /// A Boolean value that indicates whether other sites may show the images at all.
  public var allowsEmbedding = true

  // MARK: Other fields

  /// A Boolean value that indicates whether browsers are told to save the file, where the URL does not say.
  public var isAttachment = false
  /// A Boolean value that indicates whether `Server-Timing` tells what took how long, and where the answer was found.
  /// Strangers can read it.
  public var sendsTiming = false
  /// A Boolean value that indicates whether every answer tells its request's id.
  public var sendsRequestID = true

  public init() {}
}
