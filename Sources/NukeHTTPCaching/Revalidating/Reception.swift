/// The actions that follow from the head of a response.
package struct Reception: Sendable {
  /// The response that the program receives.
  package var delivery = Delivery.response
  /// The response to store, with its body; `nil` if ``refusal`` says why not, or if there is nothing to store.
  package var entry: StoredResponse?
  package var refusal: Refusal?
  /// The stored bytes with which the body of ``entry`` begins, if it is longer than what arrives.
  package var beginning: Beginning?
  /// Stored responses that say something else now. Their bodies stay.
  package var renewals: [Renewal] = []
  /// Stored responses that are to be forgotten, when the new one is complete where there is one.
  package var removals: [Int] = []
  /// Keys under which everything is doubtful now (RFC 9111 §4.4): to be forgotten, or to be marked
  /// ``StoredResponse/isDoubtful``.
  package var invalidations: [String] = []

  package enum Delivery: Equatable, Sendable {
    /// The response as it comes.
    case response
    /// The stored response, renewed.
    case stored(Reuse)
    /// A stored part and, from `offset` of it on, the body that comes now, as ``entry`` says.
    case joined(index: Int, offset: Int)
    /// Nothing yet: the same request is to be sent again without conditions. The response fits nothing that is stored.
    case again
  }

  package struct Beginning: Equatable, Sendable {
    package let index: Int
    package let count: Int
  }

  package struct Renewal: Equatable, Sendable {
    package let index: Int
    package let response: StoredResponse
  }
}
