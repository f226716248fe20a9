/// What is to be done when the head of a response has come.
package struct Reception: Sendable {
  /// What the program gets.
  package var delivery = Delivery.response
  /// What is to be remembered of the response, with its body; `nil` if ``refusal`` says why not, or where it brings
  /// none.
  package var entry: StoredResponse?
  package var refusal: Refusal?
  /// What the body of ``entry`` begins with, where it is more than what comes: so many bytes of a stored one.
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
    /// What is stored, as renewed.
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
