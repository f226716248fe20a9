/// Coalesces work: at most one flight for each key, with the requests that wait for it. It is a value, which decides
/// what is done.
///
/// A flight begins with its first passenger, or without any, behind an answer that is stale. It is to be canceled when
/// its last passenger leaves, unless it began without any.
struct FlightTable<Key: Hashable, Passenger, Handle> {
  /// A passenger's place.
  struct Seat {
    let key: Key
    let flight: Int
    let number: Int
    /// `true` if the flight began with this passenger, who is to start it.
    let isFirst: Bool
  }

  private struct Flight {
    let number: Int
    let isOwn: Bool
    var passengers: [Int: Passenger] = [:]
    var handle: Handle?
  }

  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// Flights under way.
  var count: Int { flights.count }
  /// The number of waiting requests.
  private(set) var passengerCount = 0

  mutating func join(_ key: Key, _ passenger: Passenger) -> Seat {
    let isFirst = flights[key] == nil
    let seat = nextNumber()
    var flight = flights[key] ?? Flight(number: nextNumber(), isOwn: false)
    flight.passengers[seat] = passenger
    flights[key] = flight
    passengerCount += 1
    return Seat(key: key, flight: flight.number, number: seat, isFirst: isFirst)
  }

  /// Begins a flight without passengers; `nil` if there is one already.
  mutating func begin(_ key: Key) -> Int? {
    guard flights[key] == nil else { return nil }
    let flight = Flight(number: nextNumber(), isOwn: true)
    flights[key] = flight
    return flight.number
  }

  /// Keeps what cancels a flight.
  ///
  /// - Returns: `false` if nobody has waited any more before: it is to be canceled at once.
  mutating func attach(_ handle: Handle, to number: Int, of key: Key) -> Bool {
    guard flights[key]?.number == number else { return false }
    flights[key]?.handle = handle
    return true
  }

  /// Gives up a seat.
  ///
  /// - Returns: what is to be canceled, since nobody waits any more.
  mutating func leave(_ seat: Seat) -> Handle? {
    guard let flight = flights[seat.key], flight.number == seat.flight else { return nil }
    guard flights[seat.key]?.passengers.removeValue(forKey: seat.number) != nil else { return nil }
    passengerCount -= 1
    guard !flight.isOwn, flight.passengers.count == 1 else { return nil }
    flights[seat.key] = nil
    return flight.handle
  }

  /// Ends a flight.
  ///
  /// - Returns: those who are to be told.
  mutating func land(_ number: Int, of key: Key) -> [Passenger] {
    guard let flight = flights[key], flight.number == number else { return [] }
    flights[key] = nil
    passengerCount -= flight.passengers.count
    return Array(flight.passengers.values)
  }

  /// Ends all flights.
  mutating func removeAll() -> (passengers: [Passenger], handles: [Handle]) {
    defer {
      flights = [:]
      passengerCount = 0
    }
    return (flights.values.flatMap(\.passengers.values), flights.values.compactMap(\.handle))
  }

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
