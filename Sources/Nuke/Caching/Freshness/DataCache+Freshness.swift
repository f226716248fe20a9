import Foundation
import NukeStore

/// The freshness records stored beside data.
extension DataCache {
  /// Data, and the version of the original from which it was made, if known.
  struct Stamped {
    let data: Data
    let representation: UInt64?
  }

  /// Returns the data stored for `key`, as ``cachedData(for:)`` finds it.
  func stampedData(for key: String) -> Stamped? {
    entry(for: key).map { Stamped(data: $0.data, representation: FreshnessStamp.representation(in: $0.attributes)) }
  }

  /// Returns the version of the original from which the data for `key` was made, without reading the data.
  func representation(for key: String) -> UInt64? {
    attributes(of: key).flatMap { FreshnessStamp.representation(in: $0) }
  }

  /// Returns the record of the original whose data has `key`; `nil` if there is none.
  ///
  /// - Parameter isUse: `true` to count this as a use, so that the record is not evicted before the data.
  func freshnessRecord(for key: String, isUse: Bool = true) -> FreshnessRecord? {
    attributes(of: Self.recordKey(key), isUse: isUse).flatMap { FreshnessRecord(attributes: $0) }
  }

  /// Stores the record of the original whose data has `key`; `nil` removes it.
  func store(_ record: FreshnessRecord?, for key: String, lease: DiskLease? = nil) {
    let recordKey = Self.recordKey(key)
    guard let attributes = record?.attributes else { return removeData(for: recordKey) }
    storeData(
      Data(), for: recordKey, from: nil, label: EntryLabel(kind: "freshness", variantOf: key, attributes: attributes),
      lease: lease)
  }

  /// Releases `lease` when the record of the original whose data has `key` is on the disk, where other processes find it.
  func release(_ lease: DiskLease, withRecordFor key: String) { release(lease, withDataFor: Self.recordKey(key)) }

  private static func recordKey(_ key: String) -> String { reservedKey("freshness " + key) }
}

extension EntryLabel {
  /// The metadata of data that was made from a known version of the original with the key `original`.
  init(_ facts: FreshnessFacts?, original: String, key: String) {
    self.init()
    guard let stamp = facts?.stamp else { return }
    if original != key { variantOf = original }
    attributes = FreshnessStamp.attributes(of: stamp.representation)
  }
}
