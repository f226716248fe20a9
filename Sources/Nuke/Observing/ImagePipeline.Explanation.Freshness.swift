public import Foundation

extension ImagePipeline.Explanation {
  /// What is known of how current something stored is (RFC 9111).
  public struct Freshness: Hashable, Sendable, Codable {
    /// A Boolean value that indicates whether it is still within the time for which the server said that it stays
    /// right.
    public let isFresh: Bool
    /// The end of that time.
    public let until: Date
    /// What the server would be asked by, such as `ETag "a"`; nothing where all would be loaded anew.
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
