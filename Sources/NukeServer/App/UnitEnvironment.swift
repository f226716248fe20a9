#if Server
  import Foundation

  /// The variables of a file that systemd reads for `EnvironmentFile=`.
  ///
  /// A line is `NAME=VALUE`, a comment, or ignored. Values can be in quotes. Outside of single quotes, a backslash removes
  /// the meaning of the next character, and joins lines. The last assignment of a name applies. See systemd.exec(5).
  struct UnitEnvironment {
    private(set) var variables: [String: String] = [:]

    init(_ text: String) {
      // A carriage return and a line feed would be one character.
      var rest = text.unicodeScalars[...]
      while let first = rest.first {
        if first.isSpace {
          rest.removeFirst()
        } else if first == "#" || first == ";" {
          rest = rest.drop { !$0.isNewline }
        } else {
          let name = rest.prefix { $0 != "=" && !$0.isNewline }
          rest = rest[name.endIndex...]
          // A line without an equals sign assigns nothing.
          guard rest.first == "=" else { continue }
          rest.removeFirst()
          variables[String(name).trimmingCharacters(in: .whitespaces)] = Self.value(&rest)
        }
      }
    }

    /// Removes a value and the end of its line, and returns the value.
    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
      var value: [Unicode.Scalar] = []
      // The length of the value without the white space at its end. Quoted and escaped characters stay.
      var length = 0
      var isBare = false
      while let next = rest.popFirst(), !next.isNewline {
        if next == "\\" {
          isBare = true
          guard let escaped = rest.popFirst(), !escaped.isNewline else { continue }
          value.append(escaped)
          length = value.count
        } else if !isBare, next == "\"" || next == "'" {
          value += quoted(&rest, by: next)
          length = value.count
        } else if isBare || !next.isSpace {
          value.append(next)
          isBare = true
          if !next.isSpace { length = value.count }
        }
      }
      return String(String.UnicodeScalarView(value.prefix(length)))
    }

    /// Removes the rest of a quoted text, and returns it.
    private static func quoted(
      _ rest: inout Substring.UnicodeScalarView, by quote: Unicode.Scalar
    ) -> [Unicode.Scalar] {
      var text: [Unicode.Scalar] = []
      while let next = rest.popFirst(), next != quote {
        guard next == "\\", quote == "\"", let escaped = rest.popFirst() else {
          text.append(next)
          continue
        }
        if escaped.isNewline { continue }
        if !"\"\\`$".unicodeScalars.contains(escaped) { text.append(next) }
        text.append(escaped)
      }
      return text
    }
  }

  extension Unicode.Scalar {
    fileprivate var isNewline: Bool { self == "\n" || self == "\r" }
    fileprivate var isSpace: Bool { isNewline || self == " " || self == "\t" }
  }
#endif
