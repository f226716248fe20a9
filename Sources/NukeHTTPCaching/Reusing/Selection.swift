/// The stored response selected for a request (RFC 9111 §4, §4.1).
enum Selection {
  case found(Int, Reuse.ResponseKind)
  /// A response matches, but it is incomplete and lacks requested bytes.
  case incomplete(Int)
  case none(Forward.Reason)

  init(_ request: CacheRequest, _ stored: [StoredResponse]) {
    var found: (index: Int, kind: Reuse.ResponseKind)?
    var incomplete: Int?
    for (index, response) in stored.enumerated() where response.matches(request) {
      if let kind = response.responseKind(for: request) {
        if found.map({ response.isNewer(than: stored[$0.index]) }) ?? true { found = (index, kind) }
      } else if incomplete.map({ response.isNewer(than: stored[$0]) }) ?? true {
        incomplete = index
      }
    }
    self =
      if let found {
        .found(found.index, found.kind)
      } else if let incomplete {
        .incomplete(incomplete)
      } else {
        .none(stored.isEmpty ? .uriMiss : .varyMiss)
      }
  }
}

extension StoredResponse {
  /// Returns `true` if the request's selecting fields match those of this response (RFC 9111 §4.1).
  func matches(_ request: CacheRequest) -> Bool {
    selecting.isEmpty || selecting.matches(request.fields, language: fields.only(.contentLanguage))
  }

  /// Returns `true` if this response has a later `Date` (RFC 9111 §4), or the same one and arrived later.
  func isNewer(than other: StoredResponse) -> Bool {
    let date = facts.date ?? responseTime.seconds
    let otherDate = other.facts.date ?? other.responseTime.seconds
    return date == otherDate ? responseTime > other.responseTime : date > otherDate
  }
}
