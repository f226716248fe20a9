public import Foundation

extension ImagePipeline.Settings {
  /// The reason why settings cannot be used. Keys of a group are written with a dot, as `diskCache.path`.
  public enum Error: Swift.Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The data is not JSON.
    case invalidJSON
    /// There is no setting of this name. `suggestion` is the key with the most similar name, if there is one.
    case unknownKey(String, suggestion: String?)
    /// The value of a setting has the wrong type, or is outside the permitted range.
    case invalidValue(key: String, expected: String)
    /// The folder of a cache cannot be used. `reason` is the description of a ``DataCache/Error``.
    case folderNotUsable(key: String, reason: String)

    public var description: String {
      switch self {
      case .invalidJSON: "The settings are not valid JSON."
      case .unknownKey(let key, let suggestion):
        "There is no setting \(key)." + (suggestion.map { " Did you mean \($0)?" } ?? "")
      case .invalidValue("", let expected): "The settings must be \(expected)."
      case .invalidValue(let key, let expected): "The value of \(key) must be \(expected)."
      case .folderNotUsable(let key, let reason): "The value of \(key) names a folder that cannot be used. \(reason)"
      }
    }

    /// The ``description``.
    public var errorDescription: String? { description }

    static func check(_ value: Int?, _ key: String, in range: ClosedRange<Int>) throws(Self) {
      guard let value, !range.contains(value) else { return }
      let most =
        range.upperBound == .max ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .invalidValue(key: key, expected: "a whole number, \(most)")
    }

    static func check(seconds: TimeInterval?, _ key: String) throws(Self) {
      guard let seconds, !(seconds > 0 && seconds.isFinite) else { return }
      throw .invalidValue(key: key, expected: "a number of seconds greater than 0")
    }
  }
}
