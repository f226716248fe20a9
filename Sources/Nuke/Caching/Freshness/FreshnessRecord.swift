import NukeHTTPCaching

/// What is known of the original at a URL, for all that was made of it.
struct FreshnessRecord: Sendable, Equatable {
  /// Which version of the original it is. What was made of it has the same number. It stays when the server says that
  /// nothing has changed.
  let representation: UInt64
  /// Validators and freshness.
  let response: StoredResponse

  init(_ response: StoredResponse) {
    representation = response.representation
    self.response = response
  }

  /// Of a response as an HTTP cache has it, to a request that a delegate may have changed on the way: by what the program
  /// made it is told here who else would get that response.
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
