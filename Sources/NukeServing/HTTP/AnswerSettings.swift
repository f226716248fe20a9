public import NukeCodecs

/// The settings of responses over HTTP.
public struct AnswerSettings: Sendable, Hashable {
  // MARK: Content negotiation

  /// The formats that clients receive if they accept them and the URL names none, in order of preference. Empty to
  /// disable negotiation. Formats that this build cannot write are ignored.
  public var offeredFormats: [ImageFormat] = [.avif, .webp, .jxl]
  /// The formats that clients receive if they accept them by name, even if the URL names another one, in order of
  /// preference. Formats that this build cannot write are ignored.
  public var enforcedFormats: [ImageFormat] = []
  /// The client hints that are used.
  public var clientHints: ClientHints = []
  /// The quality for clients that send `Save-Data`, from 1 to 100.
  public var saveDataQuality = 50

  // MARK: Sources

  /// The header fields of requests that are passed on to sources.
  public var passthrough = FieldPassthrough()

  // MARK: Caching

  /// The freshness lifetime of a response in seconds if that of its source is not known.
  public var freshness = 3600
  /// A Boolean value that indicates whether a response is fresh for as long as its source. Otherwise, ``freshness``
  /// applies.
  public var passesFreshness = true
  /// The maximum freshness lifetime of a response, in seconds.
  public var maximumFreshness = 31_536_000
  /// Seconds for which caches may use a stale response while they revalidate it; `nil` to send no such directive.
  public var staleWhileRevalidate: Int?
  /// A Boolean value that indicates whether the response to a signed URL with a ``ImageOptions/cacheBuster`` is
  /// immutable.
  public var trustsCacheBusters = false
  /// A Boolean value that indicates whether the source is validated for requests with `Cache-Control: no-cache`. Every
  /// client can then cause a request to the source. The default is `false`.
  public var honorsNoCache = false
  /// The freshness lifetime of errors caused by the request, in seconds.
  public var errorFreshness = 10

  /// The status code of responses with the ``ImageOptions/fallbackSource`` of a URL; `nil` for that of the error.
  public var fallbackStatus: Int? = 200
  /// The freshness lifetime of such responses, in seconds.
  public var fallbackFreshness = 60

  // MARK: Other sites

  public enum Origins: Sendable, Hashable {
    /// Scripts of other sites have no access.
    case none
    case any
    /// The origins, such as `https://example.com`.
    case only(Set<String>)
  }

  /// The origins whose scripts may read the images (CORS).
  public var allowedOrigins: Origins = .any
  /// A Boolean value that indicates whether other sites may embed the images.
  public var allowsEmbedding = true

  // MARK: Other fields

  /// A text at the end of all entity tags, of visible ASCII characters without quotation marks. With another text, no
  /// client has a valid copy of any image. Empty by default.
  public var entityTagSuffix = ""
  /// A Boolean value that indicates whether browsers save the file instead of showing it, if the URL does not say.
  public var isAttachment = false
  /// A Boolean value that indicates whether responses have a `Server-Timing` field with the durations of the stages and
  /// the cache that was hit. All clients can read it.
  public var sendsTiming = false
  /// A Boolean value that indicates whether responses with an image state the sizes of the source and the image:
  /// `X-Origin-Content-Length`, `X-Origin-Width`, `X-Origin-Height`, `X-Result-Width` and `X-Result-Height`.
  public var sendsSizes = false
  /// A Boolean value that indicates whether every response states the ID of its request.
  public var sendsRequestID = true

  public init() {}
}
