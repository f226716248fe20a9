public import Foundation

extension ImagePipeline.Explanation {
  /// The freshness of a cached entry (RFC 9111).
  public struct Freshness: Hashable, Sendable, Codable {
    /// A Boolean value that indicates whether the entry is fresh.
    public let isFresh: Bool
    /// The time at which the entry becomes stale.
    public let until: Date
    /// The validators for a conditional request, such as `ETag "a"`. If it is empty, the server can only send the whole
    /// response again.
    public let validators: [String]
  }
}

extension ImagePipeline.Explanation.Freshness: CustomStringConvertible {
  /// A short description.
  public var description: String {
    let text = "\(isFresh ? "fresh until" : "stale since") \(until.formatted(.iso8601))"
    return validators.isEmpty
      ? text + ", with nothing to ask by" : text + ", validated by \(validators.joined(separator: " and "))"
  }
}
