/// The result of a cache look-up, as the `Cache-Status` field states it (RFC 9211).
package struct CacheStatus: Hashable, Sendable {
  package var cache = "Nuke"
  /// The answer came from what is stored.
  package var isHit = false
  /// Why the request went on; never together with ``isHit``.
  package var forward: Forward.Reason?
  /// The origin's status, where it differs from the answer's.
  package var forwardStatus: Int?
  package var isStored = false
  /// The request waited for another one's exchange, which has brought the answer.
  package var isCollapsed = false
  /// Seconds for which the answer stays fresh; less than nothing where it is stale.
  package var timeToLive: Int?
  package var detail: String?

  package init() {}

  /// Creates the status of an answer from the cache.
  package init(_ reuse: Reuse) {
    isHit = true
    timeToLive = reuse.freshness.remaining
    detail = reuse.staleness?.rawValue
  }

  /// Creates the status of an answer to another request, which this one waited for.
  package init(_ reuse: Reuse, collapsed reason: Forward.Reason) {
    self.init(reuse)
    isHit = false
    forward = reason
    isCollapsed = true
  }

  /// `true` if nothing was sent for the request itself.
  package var isAnsweredHere: Bool { isHit || isCollapsed }

  /// Creates the status of an answer from the origin, or from the cache after the origin was asked.
  package init(_ forward: Forward, status: Int, reception: Reception) {
    self.forward = forward.reason
    isStored = reception.entry != nil
    if case .stored(let reuse) = reception.delivery {
      forwardStatus = status
      timeToLive = reuse.freshness.remaining
      detail = reuse.staleness?.rawValue
    } else {
      detail = reception.refusal?.description
    }
  }

  /// The field's value, a structured field (RFC 9651).
  package var text: String {
    var text = Self.isToken(cache) ? cache : Self.string(cache)
    if isHit { text += "; hit" }
    if let forward, !isHit {
      text += "; fwd=\(forward.rawValue)"
      if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
      if isStored { text += "; stored" }
      if isCollapsed { text += "; collapsed" }
    }
    if let timeToLive { text += "; ttl=\(timeToLive)" }
    if let detail { text += "; detail=\(Self.isToken(detail) ? detail : Self.string(detail))" }
    return text
  }

  /// RFC 9651 §3.3.4: begins with a letter or an asterisk, and may have colons and slashes in it.
  private static func isToken(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "*") || (0x61...0x7A).contains(first.lowercased) else {
      return false
    }
    return text.utf8.allSatisfy { $0.isToken || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
  }

  /// RFC 9651 §3.3.3. What is not ASCII is written by percent signs.
  private static func string(_ text: String) -> String {
    var result = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        result += "\\"
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result + "\""
  }
}
