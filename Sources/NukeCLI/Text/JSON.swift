package import Foundation

/// A JSON value that keeps the order of its members, written on one line.
package indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(key: String, value: JSON)])
  /// JSON from an encoder, without line breaks.
  case encoded(String)

  /// Returns an object without the members that are `nil`.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON { .object(list(members)) }

  /// Returns the members that are not `nil`.
  static func list(_ members: KeyValuePairs<String, JSON?>) -> [(key: String, value: JSON)] {
    members.compactMap { key, value in value.map { (key, $0) } }
  }

  package static func string(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  package static func integer(_ value: Int) -> JSON { .integer(Int64(value)) }

  /// Returns seconds as milliseconds, rounded to microseconds.
  package static func milliseconds(_ seconds: TimeInterval) -> JSON { .number((seconds * 1_000_000).rounded() / 1000) }

  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value):
      !value.isFinite ? "null" : value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .string(let value): Self.quoted(value)
    case .encoded(let text): text
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{2028}", "\u{2029}", "\0"..<" ", "\u{7F}"..<"\u{A0}":
        result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
