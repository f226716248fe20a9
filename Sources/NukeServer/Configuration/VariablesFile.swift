#if Server
  import Foundation

  /// Parses environment variables from a file with a line `NAME=VALUE` for each, in the syntax of imgproxy:
  ///
  ///     # For production.
  ///     IMGPROXY_QUALITY=70
  ///     IMGPROXY_BASE_URL="https://$HOST/photos/"
  ///     IMGPROXY_URL_REPLACEMENTS='photos://*/=https://${1}.example.com/'
  ///
  /// Values without quotation marks and in double ones contain other variables, as `$NAME` or `${NAME}`. Within double
  /// quotation marks, a backslash escapes `"`, `\` and `$`, and `\n` is a line break. Such values may have several lines.
  struct VariablesFile {
    /// The values by the names of the variables. The last of several with the same name is used.
    private(set) var values: [String: String] = [:]

    /// An error, and the line that causes it.
    struct InvalidLine: Error, Hashable {
      /// The number of the line, starting at 1; `nil` for an error of the whole file.
      let line: Int?
      let reason: String
    }

    /// - Parameter environment: the values of variables that the file refers to and does not define.
    init(_ text: String, environment: [String: String] = [:]) throws(InvalidLine) {
      var rest = text.replacing("\r\n", with: "\n")[...]
      var line = 0
      while !rest.isEmpty {
        line += 1
        let start = rest.prefix { $0 != "\n" }.trimmingPrefix(while: \.isWhitespace)
        if start.isEmpty || start.first == "#" {
          rest = rest[start.endIndex...].dropFirst()
          continue
        }
        guard let equals = start.firstIndex(of: "="), let name = Self.name(start[..<equals]) else {
          throw InvalidLine(line: line, reason: "it is not NAME=VALUE")
        }
        rest = rest[start.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
        let first = line
        let known = values.merging(environment) { own, _ in own }
        if let mark = rest.first, mark == "\"" || mark == "'" {
          let (value, end) = try Self.quoted(rest.dropFirst(), by: mark, line: first)
          line += value.count { $0 == "\n" }
          rest = rest[end...]
          let after = rest.prefix { $0 != "\n" }.trimmingCharacters(in: .whitespaces)
          guard after.isEmpty || after.hasPrefix("#") else {
            throw InvalidLine(line: line, reason: "there is text after the quotation mark at the end")
          }
          values[name] = mark == "'" ? String(value) : Self.expanded(value, known, unescapes: true)
        } else {
          values[name] = Self.expanded(Self.withoutComment(rest.prefix { $0 != "\n" }), known, unescapes: false)
        }
        rest = rest.drop { $0 != "\n" }.dropFirst()
      }
    }

    /// Returns the name of a variable, which may have `export` before it; `nil` if it is not valid.
    private static func name(_ text: Substring) -> String? {
      var name = text.trimmingCharacters(in: .whitespaces)
      if name.hasPrefix("export ") { name = name.dropFirst(7).trimmingCharacters(in: .whitespaces) }
      let isValid = name.first?.isNumber == false && name.allSatisfy(isOfName)
      return isValid ? name : nil
    }

    private static func isOfName(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    /// Returns the text before a quotation mark, and the index after the mark.
    private static func quoted(
      _ text: Substring, by mark: Character, line: Int
    ) throws(InvalidLine) -> (value: Substring, end: String.Index) {
      var index = text.startIndex
      while index < text.endIndex, text[index] != mark {
        if text[index] == "\\", mark == "\"" {
          index = text.index(after: index)
          guard index < text.endIndex else { break }
        }
        index = text.index(after: index)
      }
      guard index < text.endIndex else {
        throw InvalidLine(line: line, reason: "the quotation mark \(mark) has no end")
      }
      return (text[..<index], text.index(after: index))
    }

    private static func withoutComment(_ text: Substring) -> Substring {
      var end = text.endIndex
      for index in text.indices where text[index] == "#" && index > text.startIndex {
        guard text[text.index(before: index)].isWhitespace else { continue }
        end = index
        break
      }
      return text[..<end].trimmingSuffix(while: \.isWhitespace)
    }

    /// Returns a text with the values of its variables. Variables without a value are empty.
    ///
    /// - Parameter unescapes: `true` if a backslash escapes the next character.
    private static func expanded(_ text: Substring, _ values: [String: String], unescapes: Bool) -> String {
      var result = ""
      var rest = text
      while let character = rest.popFirst() {
        if unescapes, character == "\\", let next = rest.popFirst() {
          result += next == "n" ? "\n" : ["\"", "\\", "$"].contains(next) ? String(next) : "\\\(next)"
        } else if character == "$", let (name, end) = variable(at: rest) {
          result += values[name] ?? ""
          rest = rest[end...]
        } else {
          result.append(character)
        }
      }
      return result
    }

    /// Returns the name of the variable after a dollar sign, and the index after it; `nil` if there is none.
    private static func variable(at text: Substring) -> (name: String, end: String.Index)? {
      let isBraced = text.first == "{"
      let name = (isBraced ? text.dropFirst() : text).prefix(while: isOfName)
      // A number is what a pattern has matched, in a replacement of URLs.
      guard let first = name.first, !first.isNumber else { return nil }
      guard isBraced else { return (String(name), name.endIndex) }
      guard name.endIndex < text.endIndex, text[name.endIndex] == "}" else { return nil }
      return (String(name), text.index(after: name.endIndex))
    }
  }

  extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
      var text = self
      while let last = text.last, predicate(last) { text.removeLast() }
      return text
    }
  }
#endif
