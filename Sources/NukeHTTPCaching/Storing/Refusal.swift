/// Why a response is not kept (RFC 9111 §3).
package enum Refusal: Error, Hashable, Sendable {
  case method
  /// An interim response, or no status at all.
  case statusNotFinal
  /// The status answers this request and says nothing of others.
  case statusOfOneRequest
  /// `must-understand`, with a status that this cache knows nothing of.
  case statusNotUnderstood
  case noStoreInRequest
  case noStoreInResponse
  case authorized
  /// `private`, where what is loaded is for several.
  case forOneClient
  /// `Vary: *`: no request would ever match.
  case variesByEverything
  /// Part of a body, and not clear which.
  case unclearPart
  /// Neither the status nor a field allows it.
  case nothingAllowsIt
}

extension Refusal: CustomStringConvertible {
  /// One word for `Cache-Status`, one sentence would be too long there.
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
