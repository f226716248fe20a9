/// The header fields of a response that matter to a cache, parsed once.
package struct ResponseFacts: Sendable {
  package let cacheControl: ResponseCacheControl
  /// Seconds since 1970; `nil` if there is none, or one that cannot be read.
  package let date: Int?
  package let expires: Expires?
  package let lastModified: Int?
  /// `nil` for none, and for what is no entity tag.
  package let entityTag: EntityTag?
  /// Milliseconds that had passed since the origin made the response when it came here (RFC 9111 §4.2.3).
  package let initialAge: Int

  package enum Expires: Equatable, Sendable {
    /// Seconds since 1970.
    case at(Int)
    /// Several that differ, or no date: the response has expired (RFC 9111 §5.3).
    case invalid
  }

  package init(_ fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    cacheControl = ResponseCacheControl(fields)
    date = fields.only(.date).flatMap { HTTPDate.seconds($0, now: responseTime) }
    lastModified = fields.only(.lastModified).flatMap { HTTPDate.seconds($0, now: responseTime) }
    entityTag = fields.only(.eTag).flatMap { EntityTag($0) }
    expires = Self.expires(fields, now: responseTime)
    let delay = max(0, responseTime.elapsed(since: requestTime))
    // `Date` counts whole seconds, so that a part of one says nothing.
    let apparent = date.map { max(0, responseTime.seconds - $0) } ?? 0
    initialAge = max(apparent * 1000, Self.age(fields) * 1000 + delay)
  }

  private static func expires(_ fields: HTTPFields, now: Timestamp) -> Expires? {
    var found: Expires?
    fields.forEach(.expires) { value in
      let moment = HTTPDate.seconds(value, now: now).map { Expires.at($0) } ?? .invalid
      found = found.map { $0 == moment ? moment : .invalid } ?? moment
    }
    return found
  }

  /// The first number of the first line; one that cannot be read counts for nothing (RFC 9111 §5.1).
  private static func age(_ fields: HTTPFields) -> Int {
    guard let line = fields.first(.age) else { return 0 }
    return line.prefix { $0 != UInt8(ascii: ",") }.trimmed.number(limit: DeltaSeconds.limit) ?? 0
  }
}
