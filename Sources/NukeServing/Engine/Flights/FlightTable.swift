/// Coalesces work: keeps at most one flight for each key, with the requests that wait for it. A value type that decides
/// and starts nothing itself.
///
/// A flight begins with its first waiter, or without a waiter to revalidate a stale entry in the background. It is
/// canceled when its last waiter leaves, unless it began without one.
struct FlightTable<Key: Hashable, Waiter, Handle> {
  /// A waiter's subscription to a flight.
  struct Seat {
    let key: Key
    let flight: Int
    let number: Int
    /// `true` if this waiter began the flight and must start the work.
    let isFirst: Bool
  }

  private struct Flight {
    let number: Int
    let isOwn: Bool
    var waiters: [Int: Waiter] = [:]
    var handle: Handle?
  }

  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// The number of flights.
  var count: Int { flights.count }
  /// The number of waiting requests.
  private(set) var waiterCount = 0

  mutating func join(_ key: Key, _ waiter: Waiter) -> Seat {
    let isFirst = flights[key] == nil
    let seat = nextNumber()
    var flight = flights[key] ?? Flight(number: nextNumber(), isOwn: false)
    flight.waiters[seat] = waiter
    flights[key] = flight
    waiterCount += 1
    return Seat(key: key, flight: flight.number, number: seat, isFirst: isFirst)
  }

  /// Begins a flight without waiters. Returns `nil` if the key already has a flight.
  mutating func begin(_ key: Key) -> Int? {
    guard flights[key] == nil else { return nil }
    let flight = Flight(number: nextNumber(), isOwn: true)
    flights[key] = flight
    return flight.number
  }

  /// Stores the handle that cancels a flight.
  ///
  /// - Returns: `false` if the last waiter has already left. The caller must then cancel the work at once.
  mutating func attach(_ handle: Handle, to number: Int, of key: Key) -> Bool {
    guard flights[key]?.number == number else { return false }
    flights[key]?.handle = handle
    return true
  }

  /// Removes a waiter.
  ///
  /// - Returns: the handle to cancel if this was the last waiter.
  mutating func leave(_ seat: Seat) -> Handle? {
    guard let flight = flights[seat.key], flight.number == seat.flight else { return nil }
    guard flights[seat.key]?.waiters.removeValue(forKey: seat.number) != nil else { return nil }
    waiterCount -= 1
    guard !flight.isOwn, flight.waiters.count == 1 else { return nil }
    flights[seat.key] = nil
    return flight.handle
  }

  /// Ends a flight.
  ///
  /// - Returns: the waiters that receive the result.
  mutating func land(_ number: Int, of key: Key) -> [Waiter] {
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
