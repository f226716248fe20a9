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
      var line = "\(time) \(level.rawValue.uppercased()) "
      Notation.addUnsteered(message, to: &line)
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
        // A field that is called as one of ours does not hide it.
        Notation.json.add(Self.ownNames.contains(name) ? "_" + name : name, value, to: &line)
      }
      return line + "}\n"
    }

    private static let ownNames: Set = ["time", "level", "logger", "message"]

    private var time: String {
      date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
  }
#endif
