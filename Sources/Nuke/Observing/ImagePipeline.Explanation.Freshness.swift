public import Foundation

extension ImagePipeline.Explanation {
  /// The freshness of a cached entry (RFC 9111).
  public struct Freshness: Hashable, Sendable, Codable {
    /// A Boolean value that indicates whether it is still within the time for which the server said that it stays
    /// right.
    public let isFresh: Bool
    /// The end of that time.
    public let until: Date
    /// The validators of a conditional request, such as `ETag "a"`. Empty if the server could only send everything
    /// again.
    public let validators: [String]
  }
}

extension ImagePipeline.Explanation.Freshness: CustomStringConvertible {
  /// A few words for a person.
  public var description: String {
    let text = "\(isFresh ? "fresh until" : "stale since") \(until.formatted(.iso8601))"
    return validators.isEmpty
      ? text + ", with nothing to ask by" : text + ", validated by \(validators.joined(separator: " and "))"
  }
}
