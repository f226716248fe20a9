import NukeHTTPCaching

/// The result of evaluating a request's preconditions (RFC 9110 §13).
enum ConditionalRequest: Sendable, Hashable {
  /// The request has no precondition that prevents a normal response.
  case proceed
  /// 304: the client already has the response.
  case notModified
  /// 412: a precondition of the client is false.
  case preconditionFailed

  /// Evaluates the preconditions in the order of RFC 9110 §13.2.2.
  ///
  /// - Parameters:
  ///   - entityTag: the response's entity tag with its quotation marks; `nil` if it has none.
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
      // A fast path: nearly all clients send a single tag.
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
