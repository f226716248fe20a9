import Foundation

/// The freshness records stored beside data.
extension DataCache {
  /// Data, and the version of the original from which it was made, if known.
  struct Stamped {
    let data: Data
    let representation: UInt64?
  }

  /// Returns the data stored for `key`, as ``cachedData(for:)`` finds it.
  func stampedData(for key: String) -> Stamped? {
    awaitSweep()
    return withStaged(key) { self.store.entry(for: key).map { ($0.data, $0.metadata.attributes) } }
      .map { Stamped(data: $0, representation: FreshnessStamp.representation(in: $1)) }
  }

  /// Returns the version of the original from which the data for `key` was made, without reading the data.
  func representation(for key: String) -> UInt64? {
    withStaged(key) { self.store.metadata(for: key).map { (Data(), $0.attributes) } }
      .flatMap { FreshnessStamp.representation(in: $1) }
  }

  /// Returns the record of the original whose data has `key`; `nil` if there is none.
  ///
  /// - Parameter isUse: `true` to count this as a use, so that the record is not evicted before the data.
  func freshnessRecord(for key: String, isUse: Bool = true) -> FreshnessRecord? {
    let key = Self.recordKey(key)
    return withStaged(key) {
      isUse
        ? self.store.entry(for: key).map { ($0.data, $0.metadata.attributes) }
        : self.store.metadata(for: key).map { (Data(), $0.attributes) }
    }.flatMap { FreshnessRecord(attributes: $1) }
  }

  private func withStaged(_ key: String, else stored: () -> (Data, [UInt8])?) -> (data: Data, attributes: [UInt8])? {
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, let label): (data, label.attributes)
    case .removed: nil
    case .none: stored()
    }
  }

  /// Stores the record of the original whose data has `key`; `nil` removes it.
  func store(_ record: FreshnessRecord?, for key: String, lease: DiskLease? = nil) {
    let recordKey = Self.recordKey(key)
    guard let attributes = record?.attributes else { return removeData(for: recordKey) }
    storeData(
      Data(), for: recordKey, from: nil, label: .init(kind: "freshness", variantOf: key, attributes: attributes),
      lease: lease)
  }

  /// Releases `lease` when the record of the original whose data has `key` is on the disk, where other processes find it.
  func release(_ lease: DiskLease, withRecordFor key: String) {
    let isStaged = state.withLock { $0.staged.keep(lease, with: Self.recordKey(key)) }
    // In this process it can be read from now on. A record that is on the disk already waits for nothing.
    if isStaged { lease.wakeWaiters() }
  }

  private static func recordKey(_ key: String) -> String { DiskStore.reservedPrefix + "freshness " + key }
}

extension StagedWrites.Label {
  /// The metadata of data that was made from a known version of the original with the key `original`.
  init(_ facts: FreshnessFacts?, original: String, key: String) {
    self.init()
    guard let stamp = facts?.stamp else { return }
    if original != key { variantOf = original }
    attributes = FreshnessStamp.attributes(of: stamp.representation)
  }
}
