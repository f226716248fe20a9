package import NukeHTTPCaching

extension ResponseHead {
  /// What the HTTP cache had to do with a response.
  package struct Caching: Sendable {
    /// As `Cache-Status` says it (RFC 9211).
    package let status: CacheStatus
    /// What is remembered of the response, from which its freshness and its ``StoredResponse/representation`` follow;
    /// `nil` if it must not be kept. Where the body comes from the origin, it is as it will be once all of it has come.
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
