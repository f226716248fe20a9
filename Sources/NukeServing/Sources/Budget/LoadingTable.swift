/// Decides which transfers of sources may continue. A value type; times are parameters, in nanoseconds.
///
/// Most sources are small and never wait. The others all continue while the limit is not reached. Above the limit only
/// the first one continues, so that always one can finish and release its bytes. If it is too slow while others wait,
/// the next one takes its turn.
struct LoadingTable {
  typealias Number = Int

  /// The decision about a transfer that was too slow in its turn.
  enum Decision: Equatable {
    /// The first transfer is paused until its next turn; the second one continues.
    case switches(from: Number, to: Number)
    /// The transfer is aborted: too many bytes are held already to let another one continue.
    case aborts(Number)
  }

  /// The maximum bytes of sources that are not small. It can be exceeded by a chunk of each, by as much again for
  /// transfers that did not finish in their turn, and by the rest of one source.
  let limit: Int
  /// The maximum size of a small source, in bytes.
  let share: Int
  /// The time after which the speed of a transfer that others wait for is checked, in nanoseconds.
  static let turn = 2_000_000_000
  /// The minimum number of bytes in a turn. At a lower speed, a mebibyte takes more than 16 seconds.
  static let leastPerTurn = 128 << 10

  /// The bytes of sources that are not small.
  private(set) var bytes = 0
  private var counts: [Number: Int] = [:]
  /// The transfers that are not small, in order of their turns. A transfer that had its turn moves to the end.
  private var order: [Number] = []
  private var paused: Set<Number> = []
  /// The uptime at which the current turn began, and the number of bytes that the first transfer had then.
  private var turnStart = (uptime: 0, count: 0)
  private var lastNumber = 0

  init(limit: Int, share: Int) {
    self.limit = limit
    self.share = share
  }

  mutating func makeNumber() -> Number {
    lastNumber += 1
    return lastNumber
  }

  /// Records the number of bytes that a source has received in total.
  ///
  /// - Returns: `true` if the transfer must pause. It is resumed by ``end(_:now:)`` or ``checkSpeed(now:)``.
  mutating func received(_ total: Int, _ number: Number, now: Int) -> Bool {
    guard total > share else { return false }
    if counts[number] == nil { order.append(number) }
    bytes += total - (counts[number] ?? 0)
    counts[number] = total
    guard bytes > limit, order.first != number else { return false }
    if paused.isEmpty { beginTurn(now) }
    return paused.insert(number).inserted
  }

  /// Removes a transfer that has finished or failed.
  ///
  /// - Returns: the transfers to resume.
  mutating func end(_ number: Number, now: Int) -> [Number] {
    guard let count = counts.removeValue(forKey: number) else { return [] }
    bytes -= count
    let wasFirst = order.first == number
    order.removeAll { $0 == number }
    paused.remove(number)
    if wasFirst { beginTurn(now) }
    // Resume all of them only if there is some room. Otherwise, they would pause again after the next chunk.
    let next = bytes <= limit - limit / 8 ? order : Array(order.prefix(1))
    return next.filter { paused.remove($0) != nil }
  }

  /// Checks the speed of the first transfer. Returns `nil` if it may continue, or if its turn is not over.
  mutating func checkSpeed(now: Int) -> Decision? {
    guard !paused.isEmpty, now - turnStart.uptime >= Self.turn, let first = order.first, let count = counts[first]
    else { return nil }
    if count - turnStart.count >= Self.leastPerTurn {
      beginTurn(now)
      return nil
    }
    guard bytes <= 2 * limit, order.count > 1 else { return .aborts(first) }
    order.append(order.removeFirst())
    paused.insert(first)
    paused.remove(order[0])
    beginTurn(now)
    return .switches(from: first, to: order[0])
  }

  private mutating func beginTurn(_ now: Int) { turnStart = (now, order.first.flatMap { counts[$0] } ?? 0) }
}
