import NukeHTTPCaching

/// `true` if a client that knows an answer already has to get it again (RFC 9110 §13).
enum ConditionalRequest: Sendable, Hashable {
  /// The request is answered as if it had no conditions.
  case proceed
  /// 304: the client has it.
  case notModified
  /// 412: it is not what the client wants something of.
  case preconditionFailed

  /// In the order of RFC 9110 §13.2.2.
  ///
  /// - Parameters:
  ///   - entityTag: the answer's, with its quotation marks; `nil` if it has none.
  ///   - lastModified: seconds since 1970; `nil` if it is not known.
  init(_ head: RequestHead, entityTag: String?, lastModified: Int?, now: Int) {
    let moment = Timestamp(seconds: now)
    if let value = head[.ifMatch] {
      guard EntityTagCondition(value).matchesStrongly(EntityTag(entityTag)) else {
        self = .preconditionFailed
        return
      }
    } else if let date = head[.ifUnmodifiedSince].flatMap({ HTTPDate.seconds($0, now: moment) }), let lastModified,
      lastModified > date
    {
      self = .preconditionFailed
      return
    }
    if let value = head[.ifNoneMatch] {
      // A tag alone is what nearly all clients send.
      let isKnown = value == entityTag || EntityTagCondition(value).matches(EntityTag(entityTag))
      self = isKnown ? .notModified : .proceed
    } else if let date = head[.ifModifiedSince].flatMap({ HTTPDate.seconds($0, now: moment) }), let lastModified,
      lastModified <= date
    {
      self = .notModified
    } else {
      self = .proceed
    }
  }
}

extension EntityTag {
  fileprivate init?(_ text: String?) {
    guard let text, let tag = EntityTag(Array(text.utf8)[...]) else { return nil }
    self = tag
  }
}

extension EntityTagCondition {
  fileprivate init(_ value: String) { self.init(value: Array(value.utf8)[...]) }
}
