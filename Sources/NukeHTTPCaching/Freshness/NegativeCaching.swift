/// For how long it is remembered that a resource does not exist, where the origin does not say.
package enum NegativeCaching: Hashable, Sendable {
  case off
  /// Seconds for a 404 and a 410 that have neither `max-age` nor `Expires`. Errors of the network are never remembered.
  case seconds(Int)

  func seconds(for status: Int) -> Int? {
    guard case .seconds(let seconds) = self, status == 404 || status == 410 else { return nil }
    return min(DeltaSeconds.limit, max(0, seconds))
  }
}
