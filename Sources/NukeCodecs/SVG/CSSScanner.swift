#if SVG
  /// Divides CSS into parts, as far as its structure depends on them (CSS Syntax Level 3, §4.3), in linear time.
  ///
  /// librsvg must divide the text in the same way. What is passed on has therefore no comments, no at-rules, and no
  /// escapes outside of strings and selectors.
  struct CSSScanner {
    enum Part {
      case comment
      /// `<!--` or `-->`, which is ignored between rules.
      case mark
      /// A string. `isCut` is `true` if the text ends within it.
      case string(isCut: Bool)
      /// `url(…)` without quotes.
      case url
      /// `url(` and the string that follows. The closing parenthesis is a part of its own.
      case quotedURL(string: Range<Int>, isCut: Bool)
      /// A name, a number with its unit, or `#` and a name; also `@` without a keyword.
      case word
      /// `@` and a name.
      case atKeyword
      case byte(UInt8)
    }

    let text: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ text: ArraySlice<UInt8>) {
      self.text = text
      position = text.startIndex
    }

    private func byte(_ offset: Int) -> UInt8? { offset < text.endIndex ? text[offset] : nil }

    private func starts(_ word: StaticString) -> Bool {
      position + word.utf8CodeUnitCount <= text.endIndex
        && (0..<word.utf8CodeUnitCount).allSatisfy { text[position + $0] == word.utf8Start[$0] }
    }

    private static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0C || byte == 0x0D }

    /// Returns `true` for a byte of a name. All bytes of characters beyond ASCII are.
    static func isName(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }

    private static func startsKeyword(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "\\") || isName(byte) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns the next part and its range; `nil` at the end.
    mutating func next() -> (part: Part, range: Range<Int>)? {
      guard let first = byte(position) else { return nil }
      let start = position
      let part = readPart(first)
      return (part, start..<position)
    }

    private mutating func readPart(_ first: UInt8) -> Part {
      switch first {
      case UInt8(ascii: "/") where starts("/*"):
        position += 2
        while position < text.endIndex, !starts("*/") { position += 1 }
        position = min(position + 2, text.endIndex)
        return .comment
      case UInt8(ascii: "<") where starts("<!--"):
        position += 4
        return .mark
      case UInt8(ascii: "-") where starts("-->"):
        position += 3
        return .mark
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        return .string(isCut: !skipString())
      case UInt8(ascii: "#"), UInt8(ascii: "@"):
        position += 1
        let isKeyword = first == UInt8(ascii: "@") && byte(position).map(Self.startsKeyword) == true
        skipName()
        return isKeyword ? .atKeyword : .word
      default:
        let start = position
        skipName()
        guard position > start else {
          position += 1
          return .byte(first)
        }
        let isURL = text[start..<position].elementsEqual("url".utf8, by: { $0 | 0x20 == $1 })
        return isURL && byte(position) == UInt8(ascii: "(") ? readURL() : .word
      }
    }

    /// Skips a name with its escapes.
    private mutating func skipName() {
      while let next = byte(position) {
        if Self.isName(next) {
          position += 1
        } else if next == UInt8(ascii: "\\"), let escaped = byte(position + 1), !Self.isNewline(escaped) {
          position += 2
        } else {
          return
        }
      }
    }

    /// Skips a string. A line terminator ends it, and is not a part of it. Returns `false` if the text ends within it.
    private mutating func skipString() -> Bool {
      let quote = text[position]
      position += 1
      while let next = byte(position) {
        guard !Self.isNewline(next) else { return true }
        position = min(position + (next == UInt8(ascii: "\\") ? 2 : 1), text.endIndex)
        if next == quote { return true }
      }
      return false
    }

    private mutating func readURL() -> Part {
      position += 1
      while let next = byte(position), SVGText.isSpace(next) { position += 1 }
      let start = position
      if let next = byte(start), next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
        let isCut = !skipString()
        return .quotedURL(string: start..<position, isCut: isCut)
      }
      while let next = byte(position) {
        position = min(position + (next == UInt8(ascii: "\\") ? 2 : 1), text.endIndex)
        if next == UInt8(ascii: ")") { break }
      }
      return .url
    }
  }

  // MARK: - What is passed on

  extension CSSScanner {
    /// Returns the values of a property or of a `style` attribute in the form that is passed to librsvg: without comments,
    /// and without URLs other than references to elements of the drawing.
    static func passed(_ text: ArraySlice<UInt8>) throws(CodecError) -> ArraySlice<UInt8> {
      // Most values need no change.
      guard text.contains(where: { "/\\(\"'".utf8.contains($0) }) else { return text }
      var scanner = CSSScanner(text)
      var result: [UInt8] = []
      while let (part, range) = scanner.next() { try scanner.append(part, range, to: &result) }
      return result[...]
    }

    /// Appends a part of a declaration.
    func append(_ part: Part, _ range: Range<Int>, to result: inout [UInt8]) throws(CodecError) {
      switch part {
      case .comment: result.append(0x20)
      case .string(let isCut): if isCut { result += "''".utf8 } else { result += text[range] }
      case .url:
        try checkEscapes(range)
        let target = text[range].dropFirst(4).drop(while: SVGText.isSpace)
        guard target.first == UInt8(ascii: "#") else { return result += "url(\(Self.nothing))".utf8 }
        result += text[range]
        if target.last != UInt8(ascii: ")") { result.append(UInt8(ascii: ")")) }
      case .quotedURL(let string, let isCut):
        try checkEscapes(range)
        let isInternal = !isCut && text[string].dropFirst().first == UInt8(ascii: "#")
        result += "url(".utf8
        if isInternal { result += text[string] } else { result += "'\(Self.nothing)'".utf8 }
      case .mark, .word, .atKeyword, .byte:
        try checkEscapes(range)
        result += text[range]
      }
    }

    /// An identifier that no element has.
    private static let nothing = "#-external-"

    /// Escapes could hide any name.
    func checkEscapes(_ range: Range<Int>) throws(CodecError) {
      guard !text[range].contains(UInt8(ascii: "\\")) else { throw .unsupported(.svg, feature: "escapes in styles") }
    }
  }
#endif
