import Foundation

/// The right to do a piece of work whose result is to be stored, which one at a time has of all who share a store's
/// folder.
///
/// It is let go of with its last reference. Where the process dies the system lets go of it.
package final class DiskLease: DataLease {
  private let leases: DiskLeases
  private let place: DiskLeases.Place

  init(_ place: DiskLeases.Place, of leases: DiskLeases) {
    self.place = place
    self.leases = leases
  }

  deinit { leases.release(place) }

  /// Wakes the waiters in this process before the lease is released.
  func wakeWaiters() { leases.wake(place.byte) }
}

extension DiskStore {
  /// Asks for the lease of the work whose result is stored for `key`. Does not wait.
  package func lease(for key: String) -> DiskLeases.Attempt {
    let folder = state.withLock { $0.folder }
    // Two keys of one byte are kept apart from each other, which does no harm.
    return leases.take(Int64(Self.hash(key) >> 2), in: folder)
  }
}

extension DataCache: DataLeasing {
  /// Asks for the right to do the work whose result is stored for `key`, of all who share the folder.
  public func lease(for key: String) -> DataLeaseAttempt {
    switch store.lease(for: key) {
    case .taken(let lease): .taken(lease)
    case .held(let place): .held(HeldDiskLease(place: place, leases: store.leases))
    case .unavailable: .unavailable
    }
  }

  /// Loads of this process that wait for others.
  package var waitingLoads: Int { store.leases.waitingCount }
}

private struct HeldDiskLease: HeldDataLease {
  let place: DiskLeases.Place
  let leases: DiskLeases

  func wait(
    seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
  ) -> any Cancellable {
    let since = leases.clock()
    let deadline = since + UInt64((min(seconds, 1e9) * 1e9).rounded())
    let waiting = leases.wait(for: place, until: deadline) { [leases] isFree in
      body(isFree, Clock.seconds(from: since, to: leases.clock()))
    }
    return WaitForDiskLease(waiting: waiting, leases: leases)
  }
}

private final class WaitForDiskLease: Cancellable {
  private let waiting: DiskLeases.Waiting
  private let leases: DiskLeases

  init(waiting: DiskLeases.Waiting, leases: DiskLeases) {
    self.waiting = waiting
    self.leases = leases
  }

  func cancel() { leases.cancel(waiting) }
}
