/// The result of a cache look-up, as the `Cache-Status` field states it (RFC 9211).
package struct CacheStatus: Hashable, Sendable {
  package var cache = "Nuke"
  /// `true` if a stored response answered the request without contacting the origin (RFC 9211 §2.1).
  package var isHit = false
  /// Why the request was forwarded to the origin (RFC 9211 §2.2). Ignored if ``isHit`` is `true`.
  package var forward: Forward.Reason?
  /// The status code of the origin's response, if it differs from that of the served response (RFC 9211 §2.3).
  package var forwardStatus: Int?
  package var isStored = false
  /// `true` if the request was answered by the response to another, concurrent request (RFC 9211 §2.6).
  package var isCollapsed = false
  /// The remaining freshness lifetime of the served response in seconds; negative if it is stale (RFC 9211 §2.4).
  package var timeToLive: Int?
  package var detail: String?

  package init() {}

  /// Creates the status of a request that a stored response answered.
  package init(_ reuse: Reuse) {
    isHit = true
    timeToLive = reuse.freshness.remaining
    detail = reuse.staleness?.rawValue
  }

  /// Creates the status of a request that was collapsed with another one, and answered by its response.
  package init(_ reuse: Reuse, collapsed reason: Forward.Reason) {
    self.init(reuse)
    isHit = false
    forward = reason
    isCollapsed = true
  }

  /// `true` if nothing was sent to the origin for this request.
  package var isAnsweredHere: Bool { isHit || isCollapsed }

  /// Creates the status of a request that was forwarded. The client receives the origin's response, or a stored
  /// response that it validated.
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

  /// The value of the `Cache-Status` field, a structured field (RFC 9651).
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

  /// Returns `true` if `text` is a token (RFC 9651 §3.3.4): it begins with a letter or `*`, and may contain `:` and
  /// `/`.
  private static func isToken(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "*") || (0x61...0x7A).contains(first.lowercased) else {
      return false
    }
    return text.utf8.allSatisfy { $0.isToken || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
  }

  /// Returns `text` as a quoted string (RFC 9651 §3.3.3). Bytes outside of printable ASCII are percent-encoded.
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
