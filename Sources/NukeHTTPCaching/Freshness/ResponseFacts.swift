/// The header fields of a response that matter to a cache, parsed once.
package struct ResponseFacts: Sendable {
  package let cacheControl: ResponseCacheControl
  /// The `Date` in seconds since 1970; `nil` if it is missing or invalid.
  package let date: Int?
  package let expires: Expires?
  package let lastModified: Int?
  /// The entity tag; `nil` if it is missing or invalid.
  package let entityTag: EntityTag?
  /// The corrected initial age in milliseconds: the age of the response when it arrived (RFC 9111 §4.2.3).
  package let initialAge: Int

  package enum Expires: Equatable, Sendable {
    /// The time in seconds since 1970.
    case at(Int)
    /// Not a date, or several different ones: the response counts as expired (RFC 9111 §5.3).
    case invalid
  }

  package init(_ fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    cacheControl = ResponseCacheControl(fields)
    date = fields.only(.date).flatMap { HTTPDate.seconds($0, now: responseTime) }
    lastModified = fields.only(.lastModified).flatMap { HTTPDate.seconds($0, now: responseTime) }
    entityTag = fields.only(.eTag).flatMap { EntityTag($0) }
    expires = Self.expires(fields, now: responseTime)
    let delay = max(0, responseTime.elapsed(since: requestTime))
    // `Date` has a resolution of one second, so that the apparent age is rounded down to whole seconds too.
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

  /// Returns the first value of the first `Age` line, or 0 if it is missing or invalid (RFC 9111 §5.1).
  private static func age(_ fields: HTTPFields) -> Int {
    guard let line = fields.first(.age) else { return 0 }
    return line.prefix { $0 != UInt8(ascii: ",") }.trimmed.number(limit: DeltaSeconds.limit) ?? 0
  }
}
