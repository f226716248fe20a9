/// Coalesces work: keeps at most one flight for each key, with the requests that wait for it. A value type that decides
/// and starts nothing itself.
///
/// A flight begins with its first waiter, or without a waiter to revalidate a stale entry in the background. It is
/// canceled when its last waiter unsubscribes, unless it began without one.
struct FlightTable<Key: Hashable, Waiter, Handle> {
  /// A waiter's subscription to a flight.
  struct Subscription {
    let key: Key
    /// The number of the flight.
    let flight: Int
    let number: Int
    /// `true` if this waiter began the flight and must start the work.
    let isFirst: Bool
  }

  private struct Flight {
    let number: Int
    /// `true` if the flight began without a waiter, in the background.
    let isBackground: Bool
    var waiters: [Int: Waiter] = [:]
    var handle: Handle?
  }

  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// The number of flights.
  var count: Int { flights.count }
  /// The number of waiting requests.
  private(set) var waiterCount = 0

  /// Subscribes a waiter to the flight of a key, and begins the flight if there is none.
  mutating func subscribe(_ waiter: Waiter, to key: Key) -> Subscription {
    let isFirst = flights[key] == nil
    let subscription = nextNumber()
    var flight = flights[key] ?? Flight(number: nextNumber(), isBackground: false)
    flight.waiters[subscription] = waiter
    flights[key] = flight
    waiterCount += 1
    return Subscription(key: key, flight: flight.number, number: subscription, isFirst: isFirst)
  }

  /// Begins a flight without waiters. Returns `nil` if the key already has a flight.
  mutating func begin(_ key: Key) -> Int? {
    guard flights[key] == nil else { return nil }
    let flight = Flight(number: nextNumber(), isBackground: true)
    flights[key] = flight
    return flight.number
  }

  /// Stores the handle by which the work of a flight is canceled.
  ///
  /// - Returns: `false` if the last waiter has already unsubscribed. The caller must then cancel the work at once.
  mutating func setHandle(_ handle: Handle, of number: Int, for key: Key) -> Bool {
    guard flights[key]?.number == number else { return false }
    flights[key]?.handle = handle
    return true
  }

  /// Removes a waiter.
  ///
  /// - Returns: the handle to cancel if this was the last waiter.
  mutating func unsubscribe(_ subscription: Subscription) -> Handle? {
    guard let flight = flights[subscription.key], flight.number == subscription.flight else { return nil }
    guard flights[subscription.key]?.waiters.removeValue(forKey: subscription.number) != nil else { return nil }
    waiterCount -= 1
    guard !flight.isBackground, flight.waiters.count == 1 else { return nil }
    flights[subscription.key] = nil
    return flight.handle
  }

  /// Ends a flight.
  ///
  /// - Returns: the waiters that receive the result.
  mutating func finish(_ number: Int, for key: Key) -> [Waiter] {
    guard let flight = flights[key], flight.number == number else { return [] }
    flights[key] = nil
    waiterCount -= flight.waiters.count
    return Array(flight.waiters.values)
  }

  /// Ends all flights.
  mutating func removeAll() -> (waiters: [Waiter], handles: [Handle]) {
    defer {
      flights = [:]
      waiterCount = 0
    }
    return (flights.values.flatMap(\.waiters.values), flights.values.compactMap(\.handle))
  }

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
