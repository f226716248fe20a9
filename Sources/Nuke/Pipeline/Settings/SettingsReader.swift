import NukeBase

/// Reads the values of a group of settings. Errors name the key with the keys of the groups around it.
struct SettingsReader<Key: CodingKey & CaseIterable> {
  private typealias Error = ImagePipeline.Settings.Error

  private let container: KeyedDecodingContainer<Key>
  private let path: [String]

  /// - Throws: an error if the group has a key that is not a `Key`.
  init(_ decoder: any Decoder) throws {
    path = decoder.codingPath.map(\.stringValue)
    let keys: [String]
    do {
      keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      container = try decoder.container(keyedBy: Key.self)
    } catch {
      throw Error.invalidValue(key: path.joined(separator: "."), expected: "an object with keys and values")
    }
    let known = Key.allCases.map(\.stringValue)
    if let unknown = keys.filter({ !known.contains($0) }).min() {
      let distances = known.map { (key: $0, distance: $0.lowercased().editDistance(to: unknown.lowercased())) }
      let nearest = distances.min { $0.distance < $1.distance }.flatMap { $0.distance <= 3 ? $0.key : nil }
      throw Error.unknownKey(name(of: unknown), suggestion: nearest.map(name(of:)))
    }
  }

  /// Returns the value of a setting; `nil` if there is none.
  func value<Value: Decodable>(_ key: Key) throws -> Value? {
    let expected =
      switch Value.self {
      case is Int.Type: "a whole number"
      case is Double.Type: "a number"
      case is Bool.Type: "true or false"
      case is String.Type: "a text"
      default: "an object with keys and values"
      }
    return try value(key, expected: expected)
  }

  /// Returns the value of a setting that is one of several texts; `nil` if there is none.
  func choice<Value: Decodable & CaseIterable & RawRepresentable<String>>(_ key: Key) throws -> Value? {
    try value(key, expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
  }

  private func value<Value: Decodable>(_ key: Key, expected: String) throws -> Value? {
    do {
      return try container.decodeIfPresent(Value.self, forKey: key)
    } catch let error as ImagePipeline.Settings.Error {
      throw error
    } catch {
      throw Error.invalidValue(key: name(of: key.stringValue), expected: expected)
    }
  }

  private func name(of key: String) -> String { (path + [key]).joined(separator: ".") }

  /// Any key of a file.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
