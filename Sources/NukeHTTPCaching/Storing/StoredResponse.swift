/// The head of a stored response, with everything needed to decide whether it answers a later request. The body is
/// stored elsewhere.
package struct StoredResponse: Sendable {
  /// The cache key of the request's URL, see ``CacheURL/key(_:)``.
  package let key: String
  package let status: Int
  /// The header fields, without connection-specific ones (RFC 9111 §3.1).
  package let fields: HTTPFields
  package let selecting: SelectingFields
  /// The time at which the request was sent that led to this response, or to its last validation (RFC 9111 §4.2.3).
  package let requestTime: Timestamp
  package let responseTime: Timestamp
  /// The time at which the body arrived. A validation does not change it.
  package let bodyTime: Timestamp
  package var content: Content
  /// `true` if the response must be validated before its next use, regardless of freshness: it was invalidated (RFC
  /// 9111 §4.4), or a HEAD response contradicts it (§4.3.5).
  package var isDoubtful: Bool

  package let facts: ResponseFacts

  /// The part of the body that is stored.
  package enum Content: Hashable, Sendable {
    /// The whole body. `length` is `nil` until the transfer ends, if the origin did not send a `Content-Length`.
    case whole(length: Int?)
    /// `count` bytes, beginning at offset `first`. `total` is the length of the whole body, or `nil` if it is unknown.
    case part(first: Int, count: Int, total: Int?)
  }

  package init(
    key: String, status: Int, fields: HTTPFields, selecting: SelectingFields = .none, requestTime: Timestamp,
    responseTime: Timestamp, bodyTime: Timestamp? = nil, content: Content, isDoubtful: Bool = false
  ) {
    self.key = key
    self.status = status
    self.fields = fields
    self.selecting = selecting
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodyTime = bodyTime ?? responseTime
    self.content = content
    self.isDoubtful = isDoubtful
    facts = ResponseFacts(fields, requestTime: requestTime, responseTime: responseTime)
  }

  /// Returns the response with the selecting fields of `request`. Call it when the response to another request is known
  /// to answer `request` too.
  package func selected(by request: CacheRequest) -> StoredResponse {
    guard let selecting = SelectingFields(fields, request: request.fields), selecting != self.selecting else {
      return self
    }
    return StoredResponse(
      key: key, status: status, fields: fields, selecting: selecting, requestTime: requestTime,
      responseTime: responseTime, bodyTime: bodyTime, content: content, isDoubtful: isDoubtful)
  }

  /// A hash that identifies the stored body among all versions of the URL.
  ///
  /// It changes when a new body is stored, and not when the body is validated. Results derived from the body store it,
  /// and are as fresh as the body while the hashes are equal.
  package var representation: UInt64 {
    var hash = Checksum()
    hash.add(key.utf8)
    hash.add(selecting.key.utf8)
    if let tag = fields.first(.eTag) { hash.add(tag) }
    hash.add([0])
    if let date = fields.first(.lastModified) { hash.add(date) }
    hash.add(String(bodyTime.milliseconds).utf8)
    return hash.value
  }

  /// The strong validator (RFC 9110 §8.8.1): a strong entity tag, or a `Last-Modified` at least 60 seconds older than
  /// `Date` (§8.8.2.2). `nil` if there is none.
  package var strongValidator: FieldBytes? {
    if fields.contains(.eTag) {
      guard let tag = facts.entityTag, !tag.isWeak else { return nil }
      return fields.only(.eTag)
    }
    guard let modified = facts.lastModified, let date = facts.date, date - modified >= 60 else { return nil }
    return fields.only(.lastModified)
  }
}

extension StoredResponse: Equatable {
  package static func == (left: StoredResponse, right: StoredResponse) -> Bool {
    left.key == right.key && left.status == right.status && left.fields == right.fields
      && left.selecting == right.selecting && left.requestTime == right.requestTime
      && left.responseTime == right.responseTime && left.bodyTime == right.bodyTime && left.content == right.content
      && left.isDoubtful == right.isDoubtful
  }
}

/// The status and header fields of a response, as received from the origin.
package struct ReceivedResponse: Sendable {
  package let status: Int
  package let fields: HTTPFields
  /// The time at which the request was sent.
  package let requestTime: Timestamp
  /// The time at which the header fields arrived.
  package let responseTime: Timestamp

  package init(status: Int, fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    self.status = status
    self.fields = fields
    self.requestTime = requestTime
    self.responseTime = responseTime
  }
}
