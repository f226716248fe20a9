package import Foundation

/// A JSON value that keeps the order of its members, written on one line.
package indirect enum JSON {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(key: String, value: JSON)])
  /// JSON that an encoder has written, without line breaks.
  case encoded(String)

  /// An object without the members that have no value.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { (key, $0) } })
  }

  package static func string(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  package static func integer(_ value: Int) -> JSON { .integer(Int64(value)) }

  /// Seconds given as milliseconds, to the microsecond.
  package static func milliseconds(_ seconds: TimeInterval) -> JSON { .number((seconds * 1_000_000).rounded() / 1000) }

  package var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .integer(let value): result += "\(value)"
    case .number(let value):
      result +=
        !value.isFinite
        ? "null"
        : value == value.rounded() && abs(value) < 1e15
          ? "\(Int64(value))" : "\(value)"
    case .string(let value): JSON.write(value, to: &result)
    case .encoded(let text): result += text
    case .array(let values):
      result += "["
      for (index, value) in values.enumerated() {
        if index > 0 { result += "," }
        value.write(to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { result += "," }
        JSON.write(member.key, to: &result)
        result += ":"
        member.value.write(to: &result)
      }
      result += "}"
    }
  }

  private static func write(_ text: String, to result: inout String) {
    result += "\""
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
    result += "\""
  }
}
