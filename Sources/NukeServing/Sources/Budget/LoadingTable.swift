/// Which sources are being loaded, and who of them may go on: a plain value.
///
/// Most sources are small, and never wait. Of those that are not, all go on while there is room for what has come of them;
/// past it the first alone, so that there is always one that comes to its end and makes room.
struct LoadingTable {
  typealias Number = Int

  /// Bytes of sources that are not small, at a time; a chunk of each, and the rest of the first, may come on top.
  let limit: Int
  /// Bytes up to which a source is small.
  let share: Int

  /// Of sources that are not small.
  private(set) var bytes = 0
  private var counts: [Number: Int] = [:]
  /// In the order in which they were found not to be small.
  private var order: [Number] = []
  private var paused: Set<Number> = []
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
  /// - Returns: whether it is to wait until the end of others says otherwise.
  mutating func received(_ total: Int, _ number: Number) -> Bool {
    guard total > share else { return false }
    if counts[number] == nil { order.append(number) }
    bytes += total - (counts[number] ?? 0)
    counts[number] = total
    guard bytes > limit, order.first != number else { return false }
    return paused.insert(number).inserted
  }

  /// A source has come, or never will.
  ///
  /// - Returns: those that go on.
  mutating func end(_ number: Number) -> [Number] {
    guard let count = counts.removeValue(forKey: number) else { return [] }
    bytes -= count
    order.removeAll { $0 == number }
    paused.remove(number)
    // Some room, or they would wait again after the next chunk.
    let next = bytes <= limit - limit / 8 ? order : Array(order.prefix(1))
    return next.filter { paused.remove($0) != nil }
  }
}
