package import NukeHTTPCaching

extension ResponseHead {
  /// How the HTTP cache handled a response.
  package struct Caching: Sendable {
    /// The cache status (RFC 9211).
    package let status: CacheStatus
    /// The stored form of the response, which decides its freshness and its ``StoredResponse/representation``; `nil` if
    /// it must not be stored. While the body comes from the origin, it is the form that the complete response will
    /// have.
    package let response: StoredResponse?
    /// `true` if the body, or its beginning, comes from the cache.
    package let isFromCache: Bool
    /// `true` if it is past its freshness and was not validated.
    package let isStale: Bool

    package init(status: CacheStatus, response: StoredResponse?, isFromCache: Bool, isStale: Bool) {
      self.status = status
      self.response = response
      self.isFromCache = isFromCache
      self.isStale = isStale
    }
  }
}

extension ImageTask.Facts {
  /// Takes on what the HTTP cache says of a response.
  mutating func note(_ caching: ResponseHead.Caching) {
    cacheStatus = caching.status.text
    origin = caching.status.isAnsweredHere ? .disk : .network
  }
}
