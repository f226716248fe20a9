/// The reason for which a response must not be stored (RFC 9111 §3).
package enum Refusal: Error, Hashable, Sendable {
  case method
  /// The status is not final: an interim (1xx) response, or not a valid status code.
  case statusNotFinal
  /// The status code applies to this request only, such as 304 or 416.
  case statusOfOneRequest
  /// The response has `must-understand`, and this cache does not implement its status code (RFC 9111 §5.2.2.3).
  case statusNotUnderstood
  case noStoreInRequest
  case noStoreInResponse
  case authorized
  /// The response is `private`, and the cache serves several clients.
  case forOneClient
  /// The response has `Vary: *`: no later request can match it (RFC 9111 §4.1).
  case variesByEverything
  /// A 206 response without a valid `Content-Range`, or with a part of an encoded body. Parts are not decoded, so it
  /// could not be combined with a decoded one.
  case unclearPart
  /// The response has neither an explicit freshness lifetime nor `public`, and its status code is not heuristically
  /// cacheable (RFC 9111 §4.2.2).
  case nothingAllowsIt
}

extension Refusal: CustomStringConvertible {
  /// A token for the `detail` parameter of `Cache-Status` (RFC 9211 §2.8).
  package var description: String {
    switch self {
    case .method: "method"
    case .statusNotFinal: "status-not-final"
    case .statusOfOneRequest: "status-of-one-request"
    case .statusNotUnderstood: "status-not-understood"
    case .noStoreInRequest: "no-store-in-request"
    case .noStoreInResponse: "no-store"
    case .authorized: "authorized"
    case .forOneClient: "private"
    case .variesByEverything: "vary-any"
    case .unclearPart: "unclear-part"
    case .nothingAllowsIt: "not-cacheable"
    }
  }
}
