/// Who waits for leases, and when each looks again: a plain value.
///
/// Looks follow each other at an eighth of the time that was waited, so that whoever waits long is told late by little
/// and costs little; moments are rounded up to a grid, on which many look together.
struct LeaseWaiters {
  struct Waiter {
    let place: DiskLeases.Place
    let since: UInt64
    let deadline: UInt64
    let body: @Sendable (_ isFree: Bool) -> Void
    var next: UInt64 = 0

    mutating func putOff(from now: UInt64) {
      let pause = min(max((now &- since) / 8, LeaseWaiters.pauses.lowerBound), LeaseWaiters.pauses.upperBound)
      let grid = LeaseWaiters.pauses.lowerBound
      next = min((now + pause + grid - 1) / grid * grid, deadline)
    }
  }

  /// Nanoseconds between two looks.
  static let pauses: ClosedRange<UInt64> = 2_000_000...100_000_000

  private var waiters: [UInt64: Waiter] = [:]
  private var lastNumber: UInt64 = 0
  /// When the timer comes that was set last.
  private var timerAt: UInt64?

  var count: Int { waiters.count }

  mutating func add(_ waiter: Waiter) -> UInt64 {
    lastNumber += 1
    var waiter = waiter
    waiter.putOff(from: waiter.since)
    waiters[lastNumber] = waiter
    return lastNumber
  }

  mutating func remove(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

  /// Takes out those that still wait, in the order in which they came.
  mutating func remove(_ numbers: [UInt64]) -> [Waiter] { numbers.sorted().compactMap { remove($0) } }

  mutating func removeAll(of byte: Int64) -> [Waiter] {
    if waiters.isEmpty { return [] }
    return remove(waiters.filter { $0.value.place.byte == byte }.map(\.key))
  }

  /// Those who are to look now.
  func due(at now: UInt64) -> [(number: UInt64, place: DiskLeases.Place)] {
    waiters.filter { $0.value.next <= now }.map { ($0.key, $0.value.place) }
  }

  /// Has those who looked in vain look again later.
  ///
  /// - Returns: those who have waited for long enough, taken out.
  mutating func putOff(_ numbers: [UInt64], at now: UInt64) -> [Waiter] {
    var late: [UInt64] = []
    for number in numbers {
      guard let waiter = waiters[number] else { continue }
      if waiter.deadline <= now { late.append(number) } else { waiters[number]?.putOff(from: now) }
    }
    return remove(late)
  }

  /// How long until somebody looks, where no timer comes by then.
  mutating func timerDelay(at now: UInt64) -> UInt64? {
    if let timerAt, timerAt <= now { self.timerAt = nil }
    guard let next = waiters.values.lazy.map(\.next).min(), next < timerAt ?? .max else { return nil }
    timerAt = next
    return next > now ? next - now : 0
  }
}
