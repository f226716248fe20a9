/// Which version of an original an image in memory was made of, with the place that tells what is known of it.
struct FreshnessStamp: Sendable {
  let row: FreshnessTable.Row
  let representation: UInt64

  /// What is known of that version; `nil` if the original is another by now.
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

/// What an image on its way to the caches has to say about the original it is made of.
struct FreshnessFacts: Sendable {
  /// `nil` for an original whose version is not known.
  var stamp: FreshnessStamp?
  var freshness: ImageResponse.Freshness?
  /// `true` if the server allows that it is kept.
  var mayBeStored = true
}
