/// The sources being loaded, and which of them may go on. It is a value; times are passed in, in nanoseconds.
///
/// Most sources are small, and never wait. Of those that are not, all go on while there is room for what has come of them;
/// past it the first alone, so that there is always one that comes to its end and makes room. One that brings little while
/// others wait for it gives its turn to the next.
struct LoadingTable {
  typealias Number = Int

  /// The decision about a transfer that has had its turn and brought too little.
  enum Verdict: Equatable {
    /// It waits until the turn is its own again; another goes on.
    case passes(Number, to: Number)
    /// It is given up: too much is held already to begin with another.
    case givenUp(Number)
  }

  /// Bytes of sources that are not small, at a time; a chunk of each may come on top, as much again of those who had their
  /// turn without coming to an end, and the rest of one.
  let limit: Int
  /// Bytes up to which a source is small.
  let share: Int
  /// Nanoseconds after which it is looked at what one that others wait for has brought.
  static let turn = 2_000_000_000
  /// Bytes that it must have brought then: one that brings less needs more than a quarter of a minute for each mebibyte.
  static let leastPerTurn = 128 << 10

  /// The bytes of sources that are not small.
  private(set) var bytes = 0
  private var counts: [Number: Int] = [:]
  /// In the order in which they were found not to be small; behind them those that had their turn.
  private var order: [Number] = []
  private var paused: Set<Number> = []
  /// The bytes of the first transfer at a moment of its turn.
  private var mark = (moment: 0, count: 0)
  private var lastNumber = 0

  init(limit: Int, share: Int) {
    self.limit = limit
    self.share = share
  }

  mutating func makeNumber() -> Number {
    lastNumber += 1
    return lastNumber
  }

  /// Bytes of a source have come, so many by now.
  ///
  /// - Returns: `true` if it is to wait until the end of others, or their slowness, says otherwise.
  mutating func received(_ total: Int, _ number: Number, now: Int) -> Bool {
    guard total > share else { return false }
    if counts[number] == nil { order.append(number) }
    bytes += total - (counts[number] ?? 0)
    counts[number] = total
    guard bytes > limit, order.first != number else { return false }
    if paused.isEmpty { beginTurn(now) }
    return paused.insert(number).inserted
  }

  /// A source has come, or never will.
  ///
  /// - Returns: those that go on.
  mutating func end(_ number: Number, now: Int) -> [Number] {
    guard let count = counts.removeValue(forKey: number) else { return [] }
    bytes -= count
    let wasFirst = order.first == number
    order.removeAll { $0 == number }
    paused.remove(number)
    if wasFirst { beginTurn(now) }
    // Some room, or they would wait again after the next chunk.
    let next = bytes <= limit - limit / 8 ? order : Array(order.prefix(1))
    return next.filter { paused.remove($0) != nil }
  }

  /// Judges the one that others wait for; `nil` if it goes on, or its turn has not lasted long enough.
  mutating func judge(now: Int) -> Verdict? {
    guard !paused.isEmpty, now - mark.moment >= Self.turn, let first = order.first, let count = counts[first] else {
      return nil
    }
    if count - mark.count >= Self.leastPerTurn {
      beginTurn(now)
      return nil
    }
    guard bytes <= 2 * limit, order.count > 1 else { return .givenUp(first) }
    order.append(order.removeFirst())
    paused.insert(first)
    paused.remove(order[0])
    beginTurn(now)
    return .passes(first, to: order[0])
  }

  private mutating func beginTurn(_ now: Int) { mark = (now, order.first.flatMap { counts[$0] } ?? 0) }
}
