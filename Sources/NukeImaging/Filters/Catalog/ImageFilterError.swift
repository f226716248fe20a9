/// Why a filter cannot be run.
public enum ImageFilterError: Error, Hashable, CustomStringConvertible {
  /// There is no filter of this name; `similar` are names that are nearly the same.
  case unknownFilter(name: String, similar: [String])
  /// The filter has no such key; `similar` are keys that are nearly the same.
  case unknownParameter(key: String, filter: String, similar: [String])
  /// The value of the key has another type, or is outside of its range.
  case invalidParameter(key: String, filter: String, expected: String)
  /// The filter cannot do without this key.
  case missingParameter(key: String, filter: String)
  /// The result would have more pixels than `limit` allows.
  case resultTooLarge(filter: String, limit: Int)
  /// There is no memory for the result.
  case outOfMemory(filter: String)

  public var description: String {
    switch self {
    case .unknownFilter(let name, let similar): "there is no filter named \(name)\(Self.hint(similar))"
    case .unknownParameter(let key, let filter, let similar): "\(filter) has no key \(key)\(Self.hint(similar))"
    case .invalidParameter(let key, let filter, let expected): "\(key) of \(filter) must be \(expected)"
    case .missingParameter(let key, let filter): "\(filter) needs \(key)"
    case .resultTooLarge(let filter, let limit): "\(filter) would make more than the \(limit) pixels allowed"
    case .outOfMemory(let filter): "there is no memory for the result of \(filter)"
    }
  }

  private static func hint(_ similar: [String]) -> String {
    similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: ", "))?"
  }
}
