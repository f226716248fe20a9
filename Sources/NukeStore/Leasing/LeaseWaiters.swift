/// The waiters for leases, and the time of the next poll of each. A value type. `Lease` identifies one.
///
/// The interval between two polls is an eighth of the time that the waiter has waited. The delay is therefore small
/// relative to the wait, and long waits cost few polls. Times are rounded up to a grid, so that many waiters poll
/// together.
package struct LeaseWaiters<Lease> {
  package struct Waiter {
    package let lease: Lease
    package let since: UInt64
    package let deadline: UInt64
    package let body: @Sendable (_ isFree: Bool) -> Void
    fileprivate var next: UInt64 = 0

    package init(
      lease: Lease, since: UInt64, deadline: UInt64, body: @escaping @Sendable (_ isFree: Bool) -> Void
    ) {
      self.lease = lease
      self.since = since
      self.deadline = deadline
      self.body = body
    }

    fileprivate mutating func putOff(from now: UInt64, _ pauses: ClosedRange<UInt64>) {
      let pause = min(max((now &- since) / 8, pauses.lowerBound), pauses.upperBound)
      let grid = pauses.lowerBound
      next = min((now + pause + grid - 1) / grid * grid, deadline)
    }
  }

  /// The minimum and maximum time between two polls, in nanoseconds.
  private let pauses: ClosedRange<UInt64>
  private var waiters: [UInt64: Waiter] = [:]
  private var lastNumber: UInt64 = 0
  /// The time of the most recent timer.
  private var timerAt: UInt64?

  package init(pauses: ClosedRange<UInt64>) { self.pauses = pauses }

  package var count: Int { waiters.count }

  package mutating func add(_ waiter: Waiter) -> UInt64 {
    lastNumber += 1
    var waiter = waiter
    waiter.putOff(from: waiter.since, pauses)
    waiters[lastNumber] = waiter
    return lastNumber
  }

  package mutating func remove(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

  /// Removes and returns those that still wait, in order of arrival.
  package mutating func remove(_ numbers: [UInt64]) -> [Waiter] { numbers.sorted().compactMap { remove($0) } }

  package mutating func removeAll(where isMeant: (Lease) -> Bool) -> [Waiter] {
    if waiters.isEmpty { return [] }
    return remove(waiters.filter { isMeant($0.value.lease) }.map(\.key))
  }

  /// Returns the waiters whose time for a poll has come.
  package func due(at now: UInt64) -> [(number: UInt64, lease: Lease)] {
    waiters.filter { $0.value.next <= now }.map { ($0.key, $0.value.lease) }
  }

  /// Schedules the next poll of waiters whose lease was not free.
  ///
  /// - Returns: the waiters whose time limit has passed. They are removed.
  package mutating func putOff(_ numbers: [UInt64], at now: UInt64) -> [Waiter] {
    var late: [UInt64] = []
    for number in numbers {
      guard let waiter = waiters[number] else { continue }
      if waiter.deadline <= now { late.append(number) } else { waiters[number]?.putOff(from: now, pauses) }
    }
    return remove(late)
  }

  /// Returns the delay until the next poll; `nil` if an earlier timer is already running.
  package mutating func timerDelay(at now: UInt64) -> UInt64? {
    if let timerAt, timerAt <= now { self.timerAt = nil }
    guard let next = waiters.values.lazy.map(\.next).min(), next < timerAt ?? .max else { return nil }
    timerAt = next
    return next > now ? next - now : 0
  }
}
