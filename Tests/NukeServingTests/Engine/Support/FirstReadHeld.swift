import Foundation
import Nuke
import NukeBase
import NukeTesting

/// Holds back the first data that is read.
final class FirstReadHeld: DataCaching {
  private let cache: FakeDataCache
  private let gate: Gate
  private let isHeld = Lock(false)

  init(_ cache: FakeDataCache, by gate: Gate) {
    self.cache = cache
    self.gate = gate
  }

  func cachedData(for key: String) -> Data? {
    let data = cache.cachedData(for: key)
    if !isHeld.withLock({ exchange(&$0, with: true) }) { gate.waitBlocking() }
    return data
  }
  func containsData(for key: String) -> Bool { cache.containsData(for: key) }
  func storeData(_ data: Data, for key: String) { cache.storeData(data, for: key) }
  func removeData(for key: String) { cache.removeData(for: key) }
  func removeAll() { cache.removeAll() }
}
