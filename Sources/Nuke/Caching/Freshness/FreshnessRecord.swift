import NukeHTTPCaching

/// The stored response of an original. It decides the freshness of everything made of the original.
struct FreshnessRecord: Sendable, Equatable {
  /// Identifies the version of the original. Everything made of it has the same number, and a 304 keeps the number.
  let representation: UInt64
  /// Validators and freshness.
  let response: StoredResponse

  init(_ response: StoredResponse) {
    representation = response.representation
    self.response = response
  }

  /// Creates the record of a response in an HTTP cache. A delegate may have changed the request on the way. The fields
  /// of the program's own request decide which other requests the response answers.
  init(_ response: StoredResponse, to request: CacheRequest) { self.init(response.selected(by: request)) }

  private init(representation: UInt64, response: StoredResponse) {
    self.representation = representation
    self.response = response
  }

  /// The same version after the server has been asked about it.
  func renewed(_ response: StoredResponse) -> FreshnessRecord {
    FreshnessRecord(representation: representation, response: response)
  }
}

/// The form on disk: the stamp that data has too, then the response.
extension FreshnessRecord {
  /// `nil` if the server's fields are longer than anything that is kept.
  var attributes: [UInt8]? { response.encoded.map { FreshnessStamp.attributes(of: representation) + $0 } }

  /// `nil` for what is damaged or nobody here has written.
  init?(attributes: [UInt8]) {
    let stamp = attributes.prefix(FreshnessStamp.attributesCount)
    guard let representation = FreshnessStamp.representation(in: Array(stamp)),
      let response = StoredResponse(encoded: Array(attributes.dropFirst(FreshnessStamp.attributesCount)))
    else { return nil }
    self.init(representation: representation, response: response)
  }
}

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
