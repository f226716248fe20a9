/// A stored response without its body: everything needed to decide about later requests.
package struct StoredResponse: Sendable {
  /// ``CacheURL/key(_:)`` of the URL.
  package let key: String
  package let status: Int
  /// Without the fields that are for one connection alone.
  package let fields: HTTPFields
  package let selecting: SelectingFields
  /// The time of the request that this response, or its last validation, answered.
  package let requestTime: Timestamp
  package let responseTime: Timestamp
  /// The time at which the body arrived. A validation does not change it.
  package let bodyTime: Timestamp
  package var content: Content
  /// Something has happened since that makes it doubtful: it is not used without validation.
  package var isDoubtful: Bool

  package let facts: ResponseFacts

  /// The bytes that are stored.
  package enum Content: Hashable, Sendable {
    /// All, or all that will have come; `nil` while their number is not known.
    case whole(length: Int?)
    /// `count` bytes, from `first` on.
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

  /// The same where it is known to be what `request` gets too, whatever request it came to.
  package func selected(by request: CacheRequest) -> StoredResponse {
    guard let selecting = SelectingFields(fields, request: request.fields), selecting != self.selecting else {
      return self
    }
    return StoredResponse(
      key: key, status: status, fields: fields, selecting: selecting, requestTime: requestTime,
      responseTime: responseTime, bodyTime: bodyTime, content: content, isDoubtful: isDoubtful)
  }

  /// Identifies these bytes among all versions of the URL. Validation does not change it. Everything made of the bytes
  /// keeps it, and is as fresh as they are while both are equal.
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

  /// A validator that no two of its bodies have in common (RFC 9110 §8.8.1): a strong entity tag, else a date that is a
  /// minute older than the response (§8.8.2.2).
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

/// The head of a response as it came from the origin.
package struct ReceivedResponse: Sendable {
  package let status: Int
  package let fields: HTTPFields
  /// The time at which the request was sent.
  package let requestTime: Timestamp
  /// The time at which the head arrived.
  package let responseTime: Timestamp

  package init(status: Int, fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    self.status = status
    self.fields = fields
    self.requestTime = requestTime
    self.responseTime = responseTime
  }
}
