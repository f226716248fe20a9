/// The decisions after the header fields of a response have arrived: what to deliver to the program, and what to change
/// in the cache.
package struct Reception: Sendable {
  /// The response that the program receives.
  package var delivery = Delivery.response
  /// The response to store, together with its body; `nil` if ``refusal`` says why not, or if there is nothing to store.
  package var entry: StoredResponse?
  package var refusal: Refusal?
  /// The stored bytes that precede the received ones in the body of ``entry``.
  package var storedPrefix: StoredPrefix?
  /// The stored responses whose header fields change. Their bodies do not.
  package var renewals: [Renewal] = []
  /// The stored responses to remove. If ``entry`` replaces them, remove them when its body is complete.
  package var removals: [Int] = []
  /// The cache keys to invalidate (RFC 9111 §4.4): remove their responses, or set ``StoredResponse/isDoubtful``.
  package var invalidations: [String] = []

  package enum Delivery: Equatable, Sendable {
    /// The response from the origin, unchanged.
    case response
    /// A stored response, with updated header fields.
    case stored(Reuse)
    /// The first `offset` bytes of a stored incomplete response, followed by the received body. ``entry`` has the
    /// header fields.
    case joined(index: Int, offset: Int)
    /// Nothing: the response matches no stored response. Send the request again without conditions.
    case again
  }

  package struct StoredPrefix: Equatable, Sendable {
    package let index: Int
    package let count: Int
  }

  package struct Renewal: Equatable, Sendable {
    package let index: Int
    package let response: StoredResponse
  }
}
