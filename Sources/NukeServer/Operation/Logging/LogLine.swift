#if Server
  import Foundation
  import Logging

  /// One line of the log.
  struct LogLine: Sendable {
    /// A value behind a name.
    indirect enum Field: Sendable, Hashable {
      case text(String)
      case number(Double)
      case list([Field])
      case table([String: Field])

      init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .stringConvertible(let value as Int): self = .number(Double(value))
        case .stringConvertible(let value as Double): self = .number(value)
        case .stringConvertible(let value): self = .text(value.description)
        case .array(let values): self = .list(values.map(Field.init))
        case .dictionary(let values): self = .table(values.mapValues(Field.init))
        }
      }
    }

    var date: Date
    var level: Logger.Level
    var label: String
    var message: String
    var fields: [(String, Field)]

    var text: String {
      let values = fields.map { " \($0)=\(Self.words($1))" }.joined()
      return "\(time) \(level.rawValue.uppercased()) \(Self.escaped(message))\(values)\n"
    }

    var json: String {
      let own: [(String, Field)] = [
        ("time", .text(time)), ("level", .text(level.rawValue)), ("logger", .text(label)), ("message", .text(message)),
      ]
      // A field that is called as one of ours does not hide it.
      let names = Set(own.map(\.0))
      let others = fields.map { (names.contains($0) ? "_" + $0 : $0, $1) }
      return "{" + (own + others).map { "\(Self.quoted($0)):\(Self.json($1))" }.joined(separator: ",") + "}\n"
    }

    private var time: String {
      date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func number(_ value: Double) -> String {
      guard value.isFinite else { return "null" }
      return Int64(exactly: value).map { String($0) } ?? String(value)
    }

    // MARK: Text

    private static func words(_ field: Field) -> String {
      switch field {
      case .text(let text):
        let isPlain = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        let escaped = escaped(text)
        return isPlain ? escaped : "\"" + escaped.replacing("\"", with: "\\\"") + "\""
      case .number(let value): return number(value)
      case .list(let values): return "[" + values.map(words).joined(separator: ",") + "]"
      case .table(let values):
        return "{" + values.sorted { $0.key < $1.key }.map { "\($0)=\(words($1))" }.joined(separator: ",") + "}"
      }
    }

    /// Without characters that end a line or steer a terminal.
    private static func escaped(_ text: String) -> String {
      guard text.unicodeScalars.contains(where: \.isSteering) else { return text }
      return text.unicodeScalars.map { $0.isSteering ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    // MARK: JSON

    private static func json(_ field: Field) -> String {
      switch field {
      case .text(let text): quoted(text)
      case .number(let value): number(value)
      case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
      case .table(let values):
        "{" + values.sorted { $0.key < $1.key }.map { "\(quoted($0)):\(json($1))" }.joined(separator: ",") + "}"
      }
    }

    private static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case _ where scalar.isSteering:
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result + "\""
    }
  }

  extension Unicode.Scalar {
    /// Whether it ends a line, or steers a terminal or the direction of text.
    fileprivate var isSteering: Bool {
      switch value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
#endif
