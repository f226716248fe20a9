extension ImageResponse {
  /// The freshness of an image by the rules of HTTP caching (RFC 9111).
  public enum Freshness: Hashable, Sendable, Codable {
    /// Loaded for this request, or stored and fresh.
    case fresh
    /// Cached, and validated by the server.
    case validated
    /// Cached and stale.
    case stale(Staleness)

    /// The reason for returning a stale image.
    public enum Staleness: String, Hashable, Sendable, Codable {
      /// The request or the pipeline may not load.
      case offline
      /// The image is within ``ImageRequest/maxStale`` of the request.
      case maxStale
      /// The image is a preview while it is validated.
      case whileRevalidating
      /// The server responded with an error, and permits stale images then (RFC 5861).
      case serverError
      /// The server cannot be reached.
      case disconnected
    }

    /// A Boolean value that indicates whether the image may be out of date.
    public var isStale: Bool { if case .stale = self { true } else { false } }
  }
}

extension ImageResponse.Freshness: CustomStringConvertible {
  /// A short description.
  public var description: String {
    switch self {
    case .fresh: "fresh"
    case .validated: "validated"
    case .stale(.offline): "stale: nothing may be loaded"
    case .stale(.maxStale): "stale: as the request accepts it"
    case .stale(.whileRevalidating): "stale: the server is being asked"
    case .stale(.serverError): "stale: the server answered with an error"
    case .stale(.disconnected): "stale: the server cannot be reached"
    }
  }
}
