import Foundation
import Nuke
import NukeTesting

/// A store that elects the node that renders, as a Redis cache does.
final class LeasedStore: DataCaching, DataLeasing {
  private let store: FakeDataCache
  private let leasing: FakeLeasing

  init(_ store: FakeDataCache, _ leasing: FakeLeasing) {
    self.store = store
    self.leasing = leasing
  }

  var leaseTimeout: TimeInterval { leasing.leaseTimeout }
  func lease(for key: String) -> DataLeaseAttempt { leasing.lease(for: key) }
  func cachedData(for key: String) -> Data? { store.cachedData(for: key) }
  func containsData(for key: String) -> Bool { store.containsData(for: key) }
  func storeData(_ data: Data, for key: String) { store.storeData(data, for: key) }
  func removeData(for key: String) { store.removeData(for: key) }
  func removeAll() { store.removeAll() }
}
