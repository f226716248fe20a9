/// The version of the original that an image in memory was made of, and the row with the record of the original.
struct FreshnessStamp: Sendable {
  let row: FreshnessTable.Row
  let representation: UInt64

  /// The record of that version; `nil` if the original is another version by now.
  var record: FreshnessRecord? {
    guard let record = row.record, record.representation == representation else { return nil }
    return record
  }
}

/// The form beside data on disk.
extension FreshnessStamp {
  /// "NKF1".
  private static let mark: [UInt8] = [0x4E, 0x4B, 0x46, 0x31]
  static let attributesCount = 12

  static func attributes(of representation: UInt64) -> [UInt8] {
    mark + (0..<8).map { UInt8(truncatingIfNeeded: representation >> (8 * $0)) }
  }

  /// `nil` if there is none.
  static func representation(in attributes: [UInt8]) -> UInt64? {
    guard attributes.count == attributesCount, attributes.starts(with: mark) else { return nil }
    return attributes.dropFirst(mark.count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The version and freshness of the original that an image was made of, on its way to the caches.
struct FreshnessFacts: Sendable {
  /// `nil` for an original whose version is not known.
  var stamp: FreshnessStamp?
  var freshness: ImageResponse.Freshness?
  /// `true` if the server allows that it is kept.
  var mayBeStored = true
}
