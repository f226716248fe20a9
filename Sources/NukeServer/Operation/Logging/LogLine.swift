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
      var line = "\(time) \(level.rawValue.uppercased()) \(Self.escaped(message))"
      for (name, value) in fields {
        line += " "
        line += name
        line += "="
        Self.add(value, inWordsTo: &line)
      }
      return line + "\n"
    }

    var json: String {
      var line = "{\"time\":\"\(time)\",\"level\":\"\(level.rawValue)\""
      Self.add("logger", .text(label), to: &line)
      Self.add("message", .text(message), to: &line)
      for (name, value) in fields {
        // A field that is called as one of ours does not hide it.
        Self.add(Self.ownNames.contains(name) ? "_" + name : name, value, to: &line)
      }
      return line + "}\n"
    }

    private static let ownNames: Set = ["time", "level", "logger", "message"]

    private var time: String {
      date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func number(_ value: Double) -> String {
      guard value.isFinite else { return "null" }
      return Int64(exactly: value).map { String($0) } ?? String(value)
    }

    /// Whether all characters are ASCII that neither steers nor quotes, and none of `others`: most texts are, and are
    /// written as they stand.
    private static func isPlain(_ text: String, without others: UInt8...) -> Bool {
      text.utf8.allSatisfy {
        $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && !others.contains($0)
      }
    }

    // MARK: Text

    private static func add(_ field: Field, inWordsTo line: inout String) {
      switch field {
      case .text(let text):
        if !text.isEmpty, isPlain(text, without: 0x20, UInt8(ascii: "=")) {
          line += text
        } else {
          let isWord = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
          line += isWord ? escaped(text) : "\"" + escaped(text).replacing("\"", with: "\\\"") + "\""
        }
      case .number(let value): line += number(value)
      case .list(let values):
        line += "["
        for (place, value) in values.enumerated() {
          if place > 0 { line += "," }
          add(value, inWordsTo: &line)
        }
        line += "]"
      case .table(let values):
        line += "{"
        for (place, value) in values.sorted(by: { $0.key < $1.key }).enumerated() {
          if place > 0 { line += "," }
          line += value.key
          line += "="
          add(value.value, inWordsTo: &line)
        }
        line += "}"
      }
    }

    /// Without characters that end a line or steer a terminal.
    private static func escaped(_ text: String) -> String {
      guard !isPlain(text), text.unicodeScalars.contains(where: \.isSteering) else { return text }
      return text.unicodeScalars.map { $0.isSteering ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    // MARK: JSON

    /// Adds a comma, a name and its value.
    private static func add(_ name: String, _ value: Field, to line: inout String) {
      line += ","
      addQuoted(name, to: &line)
      line += ":"
      add(value, to: &line)
    }

    private static func add(_ field: Field, to line: inout String) {
      switch field {
      case .text(let text): addQuoted(text, to: &line)
      case .number(let value): line += number(value)
      case .list(let values):
        line += "["
        for (place, value) in values.enumerated() {
          if place > 0 { line += "," }
          add(value, to: &line)
        }
        line += "]"
      case .table(let values):
        line += "{"
        for (place, value) in values.sorted(by: { $0.key < $1.key }).enumerated() {
          if place > 0 { line += "," }
          addQuoted(value.key, to: &line)
          line += ":"
          add(value.value, to: &line)
        }
        line += "}"
      }
    }

    private static func addQuoted(_ text: String, to line: inout String) {
      line += "\""
      if isPlain(text) { line += text } else { addEscaped(text, to: &line) }
      line += "\""
    }

    private static func addEscaped(_ text: String, to line: inout String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": line += "\\\""
        case "\\": line += "\\\\"
        case _ where scalar.isSteering:
          let digits = String(scalar.value, radix: 16)
          line += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: line.unicodeScalars.append(scalar)
        }
      }
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
