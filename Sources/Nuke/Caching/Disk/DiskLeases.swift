import Dispatch
package import Foundation
import NukeImaging

/// The right to do a piece of work whose result is to be stored, which one client at a time has of all that share a
/// store's folder.
///
/// It is released with its last reference. If the process dies the system releases it.
package final class DiskLease: DataLease {
  private let place: DiskLeases.Place

  fileprivate init(_ place: DiskLeases.Place) { self.place = place }

  deinit { place.leases.release(place) }

  /// Wakes the waiters in this process before the lease is released.
  func wakeWaiters() { place.leases.wake(place.byte) }
}

extension DiskStore {
  /// Asks for the lease of the work whose result is stored for `key`. Does not wait.
  package func lease(for key: String) -> DataLeaseAttempt {
    // Two keys of one byte are kept apart from each other, which does no harm.
    leases.take(Int64(Self.hash(key) >> 2), in: index.folder)
  }
}

/// The leases on the entries of a store, among all processes and threads that share its folder.
///
/// A lease is the lock of one byte of a file that is always empty. The offset of the byte is a hash of the key, so that
/// nothing has to be made or removed, and the system releases it when a process ends in whatever way. The system does not
/// tell when a lease becomes free: waiters look again after a while, see ``LeaseWaiters``, and those of this process are
/// told.
package final class DiskLeases: Sendable {
  /// The byte that stands for a key.
  package struct Place: HeldDataLease {
    fileprivate let folder: StoreFolder
    fileprivate let leases: DiskLeases
    package let byte: Int64

    package func wait(
      seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
    ) -> any Cancellable {
      let since = leases.clock()
      let deadline = since + UInt64((min(seconds, 1e9) * 1e9).rounded())
      return leases.wait(for: self, until: deadline) { [leases] isFree in
        body(isFree, Clock.seconds(from: since, to: leases.clock()))
      }
    }
  }

  /// One who waits.
  private struct Waiting: Cancellable {
    let number: UInt64
    let leases: DiskLeases

    /// Ends the waiting. Who has been told by then is not asked.
    func cancel() {
      let waiter = leases.state.withLock { $0.waiters.remove(number) }
      withExtendedLifetime(waiter) {}
    }
  }

  /// Calls a closure after some nanoseconds.
  package typealias Timer = @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

  package static let systemTimer: Timer = { nanoseconds, body in
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
  }

  /// The maximum number of leases of one process. The system looks through all locks of a file at each change.
  package static let limit = 1024

  private struct State {
    /// The bytes that this process holds, or is about to ask for. The system does not exclude its own threads.
    var taken: Set<Int64> = []
    var waiters = LeaseWaiters<Place>(pauses: 2_000_000...100_000_000)
  }

  private let files: any DiskFileSystem
  fileprivate let clock: @Sendable () -> UInt64
  private let timer: Timer
  private let state = Lock(State())

  init(files: any DiskFileSystem, clock: @escaping @Sendable () -> UInt64, timer: @escaping Timer) {
    self.files = files
    self.clock = clock
    self.timer = timer
  }

  // MARK: Taking

  fileprivate func take(_ byte: Int64, in folder: StoreFolder) -> DataLeaseAttempt {
    let file = folder.leaseFile
    guard file >= 0 else { return .unavailable }
    let place = Place(folder: folder, leases: self, byte: byte)
    let known: DataLeaseAttempt? = state.withLock { state in
      if state.taken.contains(byte) { return .held(place) }
      if state.taken.count == Self.limit { return .unavailable }
      state.taken.insert(byte)
      return nil
    }
    if let known { return known }
    let lock = files.tryLock(file, byte: byte)
    if lock == .taken { return .taken(DiskLease(place)) }
    state.withLock { _ = $0.taken.remove(byte) }
    return lock == .held ? .held(place) : .unavailable
  }

  fileprivate func release(_ place: Place) {
    // In this order: another thread of this process that takes the byte gets the same lock, which must not be undone then.
    files.unlock(place.folder.leaseFile, byte: place.byte)
    state.withLock { _ = $0.taken.remove(place.byte) }
    wake(place.byte)
  }

  // MARK: Waiting

  /// Calls `body` once when the lease of `place` may be free, or at a moment of the clock if that comes first.
  ///
  /// - Parameter body: is told whether the lease may be free, on any thread, which it must not hold up. Not called before
  ///   this returns.
  package func wait(
    for place: Place, until deadline: UInt64, _ body: @escaping @Sendable (_ isFree: Bool) -> Void
  ) -> any Cancellable {
    let now = clock()
    let (number, delay) = state.withLock { state in
      let number = state.waiters.add(.init(place: place, since: now, deadline: deadline, body: body))
      return (number, state.waiters.timerDelay(at: now))
    }
    setTimer(delay)
    return Waiting(number: number, leases: self)
  }

  /// The number of waiters in this process.
  package var waitingCount: Int { state.withLock { $0.waiters.count } }

  fileprivate func wake(_ byte: Int64) {
    let woken = state.withLock { $0.waiters.removeAll { $0.byte == byte } }
    for waiter in woken { waiter.body(true) }
  }

  private func setTimer(_ delay: UInt64?) {
    if let delay { timer(delay) { self.lookAgain() } }
  }

  private func lookAgain() {
    let due = state.withLock { $0.waiters.due(at: clock()) }
    let free = due.filter { !isHeld($0.place) }.map(\.number)
    let now = clock()
    let (woken, late, delay) = state.withLock { state in
      let woken = state.waiters.remove(free)
      let late = state.waiters.putOff(due.map(\.number), at: now)
      return (woken, late, state.waiters.timerDelay(at: now))
    }
    setTimer(delay)
    for waiter in woken { waiter.body(true) }
    for waiter in late { waiter.body(false) }
  }

  private func isHeld(_ place: Place) -> Bool {
    state.withLock { $0.taken.contains(place.byte) } || files.isLocked(place.folder.leaseFile, byte: place.byte)
  }
}
