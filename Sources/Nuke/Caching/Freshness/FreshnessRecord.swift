import NukeHTTPCaching

/// The stored response of an original. It determines the freshness of all images made from the original.
struct FreshnessRecord: Sendable, Equatable {
  /// Identifies the version of the original. All results made from it have the same number, and a 304 response keeps
  /// it.
  let representation: UInt64
  /// The response with its validators and freshness.
  let response: StoredResponse
}

extension FreshnessRecord {
  init(_ response: StoredResponse) { self.init(representation: response.representation, response: response) }

  /// Creates the record of a response in an HTTP cache. A delegate may have changed the request before it was sent. The
  /// fields of the program's own request determine which other requests the response matches.
  init(_ response: StoredResponse, to request: CacheRequest) { self.init(response.selected(by: request)) }

  /// Returns the record of the same version after a successful validation.
  func renewed(_ response: StoredResponse) -> FreshnessRecord {
    FreshnessRecord(representation: representation, response: response)
  }
}

/// The encoding on disk: the stamp, which data also has, followed by the response.
extension FreshnessRecord {
  /// The encoded record; `nil` if the server's fields are too long to store.
  var attributes: [UInt8]? { response.encoded.map { FreshnessStamp.attributes(of: representation) + $0 } }

  /// Returns `nil` for damaged or foreign attributes.
  init?(attributes: [UInt8]) {
    let stamp = attributes.prefix(FreshnessStamp.attributesCount)
    guard let representation = FreshnessStamp.representation(in: Array(stamp)),
      let response = StoredResponse(encoded: Array(attributes.dropFirst(FreshnessStamp.attributesCount)))
    else { return nil }
    self.init(representation: representation, response: response)
  }
}

/// The version of the original that an image in memory was made from, and the row with the record of the original.
struct FreshnessStamp: Sendable {
  let row: FreshnessTable.Row
  let representation: UInt64

  /// The record of that version; `nil` if the original has another version by now.
  var record: FreshnessRecord? {
    guard let record = row.record, record.representation == representation else { return nil }
    return record
  }
}

/// The encoding in the metadata of data on disk.
extension FreshnessStamp {
  /// "NKF1".
  private static let mark: [UInt8] = [0x4E, 0x4B, 0x46, 0x31]
  static let attributesCount = 12

  static func attributes(of representation: UInt64) -> [UInt8] {
    mark + (0..<8).map { UInt8(truncatingIfNeeded: representation >> (8 * $0)) }
  }

  /// Returns the version in attributes; `nil` if there is none.
  static func representation(in attributes: [UInt8]) -> UInt64? {
    guard attributes.count == attributesCount, attributes.starts(with: mark) else { return nil }
    return attributes.dropFirst(mark.count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The version and freshness of the original of an image, passed to the caches with the image.
struct FreshnessFacts: Sendable {
  /// The stamp; `nil` if the version of the original is not known.
  var stamp: FreshnessStamp?
  var freshness: ImageResponse.Freshness?
  /// `true` if the server allows storing the original.
  var mayBeStored = true
}
