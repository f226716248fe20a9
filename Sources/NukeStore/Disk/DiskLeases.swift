import Dispatch
package import Foundation
package import NukeBase

/// A lease on the work for an entry in a store's folder. Only one of the clients that share the folder holds it at a
/// time.
///
/// It is released with its last reference. If the process dies, the system releases it.
package final class DiskLease: DataLease {
  private let locked: DiskLeases.LockedByte

  fileprivate init(_ locked: DiskLeases.LockedByte) { self.locked = locked }

  deinit { locked.leases.release(locked) }

  /// Wakes the waiters in this process before the lease is released.
  package func wakeWaiters() { locked.leases.wake(locked.byte) }
}

extension DiskStore {
  /// Tries to acquire the lease of the work whose result is stored for `key`. Does not block.
  package func lease(for key: String) -> DataLeaseAttempt {
    // Two keys with the same byte share a lease. That costs time but does no harm.
    leases.take(Int64(Self.hash(key) >> 2), in: index.folder)
  }
}

/// The leases on the entries of a store, shared by all processes and threads that use its folder.
///
/// A lease is the lock of one byte of a file that is always empty. The offset of the byte is a hash of the key, so no
/// files are created or removed. The system releases the lock when its process ends, for whatever reason. The system
/// does not report when a lock becomes free. Waiters therefore poll, see ``LeaseWaiters``; waiters in the same process
/// are notified.
package final class DiskLeases: Sendable {
  /// The byte that represents a key.
  package struct LockedByte: HeldDataLease {
    fileprivate let folder: StoreFolder
    fileprivate let leases: DiskLeases
    package let byte: Int64

    package func wait(
      seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
    ) -> any Cancellable {
      let since = leases.clock()
      let deadline = since + UInt64((min(seconds, 1e9) * 1e9).rounded())
      return leases.wait(for: self, until: deadline) { [leases] isFree in
        body(isFree, MonotonicClock.seconds(from: since, to: leases.clock()))
      }
    }
  }

  /// A waiter for a lease.
  private struct Waiting: Cancellable {
    let number: UInt64
    let leases: DiskLeases

    /// Stops waiting. Does nothing if the waiter has already been notified.
    func cancel() {
      let waiter = leases.state.withLock { $0.waiters.remove(number) }
      withExtendedLifetime(waiter) {}
    }
  }

  /// Calls a closure after a number of nanoseconds.
  package typealias Timer = @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

  package static let systemTimer: Timer = { nanoseconds, body in
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
  }

  /// The maximum number of leases of one process. For each change, the system searches all locks of a file.
  package static let limit = 1024

  private struct State {
    /// The bytes that this process holds or is locking. The system's lock does not exclude threads of the same process.
    var taken: Set<Int64> = []
    var waiters = LeaseWaiters<LockedByte>(pauses: 2_000_000...100_000_000)
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

  // MARK: Acquiring

  fileprivate func take(_ byte: Int64, in folder: StoreFolder) -> DataLeaseAttempt {
    let file = folder.leaseFile
    guard file >= 0 else { return .unavailable }
    let locked = LockedByte(folder: folder, leases: self, byte: byte)
    let known: DataLeaseAttempt? = state.withLock { state in
      if state.taken.contains(byte) { return .held(locked) }
      if state.taken.count == Self.limit { return .unavailable }
      state.taken.insert(byte)
      return nil
    }
    if let known { return known }
    let lock = files.tryLock(file, byte: byte)
    if lock == .taken { return .taken(DiskLease(locked)) }
    state.withLock { _ = $0.taken.remove(byte) }
    return lock == .held ? .held(locked) : .unavailable
  }

  fileprivate func release(_ locked: LockedByte) {
    // Unlock first: another thread of this process that takes the byte gets the same system lock, which a later unlock
    // would release.
    files.unlock(locked.folder.leaseFile, byte: locked.byte)
    state.withLock { _ = $0.taken.remove(locked.byte) }
    wake(locked.byte)
  }

  // MARK: Waiting

  /// Calls `body` once, when the lease of `locked` may be free or the deadline has passed.
  ///
  /// - Parameter body: receives `true` if the lease may be free. Called on any thread, never before this method
  ///   returns; must return soon.
  package func wait(
    for locked: LockedByte, until deadline: UInt64, _ body: @escaping @Sendable (_ isFree: Bool) -> Void
  ) -> any Cancellable {
    let now = clock()
    let (number, delay) = state.withLock { state in
      let number = state.waiters.add(.init(lease: locked, since: now, deadline: deadline, body: body))
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
    let free = due.filter { !isHeld($0.lease) }.map(\.number)
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

  private func isHeld(_ locked: LockedByte) -> Bool {
    state.withLock { $0.taken.contains(locked.byte) } || files.isLocked(locked.folder.leaseFile, byte: locked.byte)
  }
}
