/// The reason why a filter cannot be run.
public enum ImageFilterError: Error, Hashable, CustomStringConvertible {
  /// There is no filter with this name. `similar` contains similar names.
  case unknownFilter(name: String, similar: [String])
  /// The filter has no parameter with this key. `similar` contains similar keys.
  case unknownParameter(key: String, filter: String, similar: [String])
  /// The value has the wrong type, or is outside its range.
  case invalidParameter(key: String, filter: String, expected: String)
  /// A required parameter is missing.
  case missingParameter(key: String, filter: String)
  /// The result would exceed the maximum number of pixels.
  case resultTooLarge(filter: String, limit: Int)
  /// Memory for the result cannot be allocated.
  case outOfMemory(filter: String)

  public var description: String {
    switch self {
    case .unknownFilter(let name, let similar): "there is no filter named \(name)\(Self.hint(similar))"
    case .unknownParameter(let key, let filter, let similar): "\(filter) has no key \(key)\(Self.hint(similar))"
    case .invalidParameter(let key, let filter, let expected): "\(key) of \(filter) must be \(expected)"
    case .missingParameter(let key, let filter): "\(filter) needs \(key)"
    case .resultTooLarge(let filter, let limit):
      "the result of \(filter) would have more than the \(limit) pixels allowed"
    case .outOfMemory(let filter): "out of memory for the result of \(filter)"
    }
  }

  private static func hint(_ similar: [String]) -> String {
    similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: ", "))?"
  }
}
