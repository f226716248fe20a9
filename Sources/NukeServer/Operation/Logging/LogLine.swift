#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeServing

  /// A log entry, formatted as one line.
  struct LogLine: Sendable {
    /// The value of a field.
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
      var line = "\(time) \(level.rawValue.uppercased()) "
      Notation.addEscaped(message, to: &line)
      for (name, value) in fields {
        line += " "
        Notation.words.add(name, value, to: &line)
      }
      return line + "\n"
    }

    var json: String {
      var line = "{\"time\":\"\(time)\",\"level\":\"\(level.rawValue)\","
      Notation.json.add("logger", .text(label), to: &line)
      line += ","
      Notation.json.add("message", .text(message), to: &line)
      for (name, value) in fields {
        line += ","
        // A metadata key equal to one of the standard fields must not hide it.
        Notation.json.add(Self.ownNames.contains(name) ? "_" + name : name, value, to: &line)
      }
      return line + "}\n"
    }

    private static let ownNames: Set = ["time", "level", "logger", "message"]

    /// The time in the format of RFC 3339, in UTC, with milliseconds.
    private var time: String {
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      let second = (milliseconds / 1000).rounded(.down)
      return "\(Self.seconds.text(second)).\(String(Int(milliseconds - second * 1000) + 1000).dropFirst())Z"
    }

    private static let seconds = FormattedSecond()
  }

  /// The date and time of the last second that was formatted. Formatting takes longer than the rest of a log line, and
  /// many lines are written in a second.
  private final class FormattedSecond: Sendable {
    private let last = Lock<(second: Double, text: String)>((.nan, ""))

    /// Returns a date and time without a time zone.
    ///
    /// - Parameter second: whole seconds since 1970.
    func text(_ second: Double) -> String {
      last.withLock { last in
        if last.second == second { return last.text }
        let text = Date(timeIntervalSince1970: second).formatted(Date.ISO8601FormatStyle())
        last = (second, String(text.dropLast()))
        return last.text
      }
    }
  }

  extension LogLine {
    /// The syntax of names and values.
    enum Notation {
      /// `name=value` pairs.
      case words
      /// JSON (RFC 8259).
      case json

      func add(_ name: String, _ value: Field, to line: inout String) {
        switch self {
        case .words:
          line += name
          line += "="
        case .json:
          Self.addQuoted(name, to: &line)
          line += ":"
        }
        add(value, to: &line)
      }

      private func add(_ field: Field, to line: inout String) {
        switch field {
        case .text(let text):
          switch self {
          case .words: Self.addWord(text, to: &line)
          case .json: Self.addQuoted(text, to: &line)
          }
        case .number(let value): line += Self.number(value)
        case .list(let values):
          line += "["
          for (index, value) in values.enumerated() {
            if index > 0 { line += "," }
            add(value, to: &line)
          }
          line += "]"
        case .table(let values):
          line += "{"
          for (index, value) in values.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { line += "," }
            add(value.key, value.value, to: &line)
          }
          line += "}"
        }
      }

      private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
      }

      // MARK: Texts

      /// Adds a text without line terminators and terminal control characters.
      static func addEscaped(_ text: String, to line: inout String) {
        guard !isPlain(text), text.unicodeScalars.contains(where: \.isTextControl) else { return line += text }
        for scalar in text.unicodeScalars {
          if scalar.isTextControl {
            line += "\\u{\(String(scalar.value, radix: 16))}"
          } else {
            line.unicodeScalars.append(scalar)
          }
        }
      }

      private static func addWord(_ text: String, to line: inout String) {
        if text.isEmpty || text.utf8.contains(where: { " \"=".utf8.contains($0) }) {
          line += "\""
          addEscaped(text.replacing("\"", with: "\\\""), to: &line)
          line += "\""
        } else {
          addEscaped(text, to: &line)
        }
      }

      private static func addQuoted(_ text: String, to line: inout String) {
        guard isPlain(text) else { return line += JSONText.quoted(text) }
        line += "\""
        line += text
        line += "\""
      }

      /// Returns `true` if all characters are printable ASCII without quotation marks. Most texts are, and are written
      /// unchanged.
      private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy {
          $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
      }
    }
  }
#endif
