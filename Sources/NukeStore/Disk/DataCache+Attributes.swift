package import Foundation
import NukeBase

/// The attributes stored with data.
extension DataCache {
  /// Returns the data stored for `key` as ``cachedData(for:)`` finds it, and its attributes.
  package func entry(for key: String) -> (data: Data, attributes: [UInt8])? {
    awaitSweep()
    return withStaged(key) { self.store.entry(for: key).map { ($0.data, $0.metadata.attributes) } }
  }

  /// Returns the attributes of the data stored for `key`.
  ///
  /// - Parameter isUse: `true` to count this as a use, which also verifies the data. Otherwise, the data is not read.
  package func attributes(of key: String, isUse: Bool = false) -> [UInt8]? {
    withStaged(key) {
      isUse
        ? self.store.entry(for: key).map { ($0.data, $0.metadata.attributes) }
        : self.store.metadata(for: key).map { (Data(), $0.attributes) }
    }?.attributes
  }

  private func withStaged(_ key: String, else stored: () -> (Data, [UInt8])?) -> (data: Data, attributes: [UInt8])? {
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, let label): (data, label.attributes)
    case .removed: nil
    case .none: stored()
    }
  }

  /// Releases `lease` when the data of `key` is on the disk, where other processes find it.
  package func release(_ lease: DiskLease, withDataFor key: String) {
    let isStaged = state.withLock { $0.staged.keep(lease, with: key) }
    // In this process it can be read from now on. Data that is on the disk already waits for nothing.
    if isStaged { lease.wakeWaiters() }
  }

  /// Returns the key of an entry for the library's own use, which no key of a program equals.
  package static func reservedKey(_ key: String) -> String { DiskStore.reservedPrefix + key }
}
