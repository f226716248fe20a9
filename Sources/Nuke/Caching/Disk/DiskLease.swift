/// The right to do a piece of work whose result is to be stored, which one at a time has of all who share a store's
/// folder.
///
/// It is let go of with its last reference. Where the process dies the system lets go of it.
package final class DiskLease: Sendable {
  private let leases: DiskLeases
  private let place: DiskLeases.Place

  init(_ place: DiskLeases.Place, of leases: DiskLeases) {
    self.place = place
    self.leases = leases
  }

  deinit { leases.release(place) }

  /// Tells those in this process who wait that there is something to be seen, before it is let go of.
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

extension DataCache {
  /// Loads of this process that wait for others.
  package var waitingLoads: Int { store.leases.waitingCount }
}
