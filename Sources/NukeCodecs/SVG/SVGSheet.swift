#if SVG
  /// The rules of a style sheet.
  ///
  /// At-rules are removed: librsvg ignores all of them except `@import`, and nothing external is loaded. The rest is
  /// written again so that it can be divided into rules in only one way.
  struct SVGSheet {
    struct Rule {
      fileprivate(set) var selectors: Range<Int>
      fileprivate(set) var declarations: Range<Int>
      /// `true` if the words of the selectors name all elements that it may apply to, and if there are only declarations in
      /// its block.
      fileprivate(set) var isPlain = true
    }

    /// The rules, one after the other.
    private(set) var text: [UInt8] = []
    private(set) var rules: [Rule] = []
    private var scanner: CSSScanner
    /// The brackets that close the open blocks.
    private var closers: [UInt8] = []

    init(_ text: ArraySlice<UInt8>) throws(CodecError) {
      scanner = CSSScanner(text)
      while let (part, range) = scanner.next() {
        switch part {
        case .comment, .mark: continue
        case .byte(let byte) where SVGText.isSpace(byte): continue
        case .atKeyword: try skipAtRule()
        default: try readRule(part, range)
        }
      }
    }

    /// Updates the open blocks. Returns `false` for a closing bracket of another kind than the last one that was opened,
    /// which closes nothing.
    ///
    /// librsvg recurses for selectors within selectors.
    private mutating func nest(_ byte: UInt8) throws(CodecError) -> Bool {
      switch byte {
      case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
      case UInt8(ascii: "("): closers.append(UInt8(ascii: ")"))
      case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        guard closers.last == byte else { return false }
        closers.removeLast()
      default: break
      }
      try DecodeWork.levels.check(Double(closers.count), .svg)
      return true
    }

    private mutating func nest(_ part: CSSScanner.Part) throws(CodecError) -> Bool {
      switch part {
      case .byte(let byte): try nest(byte)
      case .quotedURL: try nest(UInt8(ascii: "("))
      default: true
      }
    }

    /// Skips an at-rule, which ends with a semicolon or a block.
    private mutating func skipAtRule() throws(CodecError) {
      closers = []
      while let (part, _) = scanner.next() {
        let isClosed = try nest(part) && closers.isEmpty
        guard isClosed, case .byte(let byte) = part else { continue }
        if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "}") { return }
      }
    }

    /// Reads selectors and a block, and drops both if the brackets of the selectors do not match, or if there is no block.
    private mutating func readRule(_ first: CSSScanner.Part, _ range: Range<Int>) throws(CodecError) {
      let start = text.count
      closers = []
      var isValid = true
      var rule = Rule(selectors: start..<start, declarations: start..<start)
      var next: (part: CSSScanner.Part, range: Range<Int>)? = (first, range)
      while let (part, range) = next {
        if closers.isEmpty, case .byte(UInt8(ascii: "{")) = part { break }
        if try !nest(part) { isValid = false }
        if try !appendSelector(part, range) { rule.isPlain = false }
        next = scanner.next()
      }
      guard next != nil else { return text.removeLast(text.count - start) }
      rule.selectors = start..<text.count
      text.append(UInt8(ascii: "{"))
      try readBlock(&rule)
      text.append(UInt8(ascii: "}"))
      if isValid { rules.append(rule) } else { text.removeLast(text.count - start) }
    }

    /// Appends a part of selectors, whose names may have escapes. The name of a function may not.
    ///
    /// - Returns: `false` unless the selectors name all elements that they match.
    private mutating func appendSelector(_ part: CSSScanner.Part, _ range: Range<Int>) throws(CodecError) -> Bool {
      switch part {
      case .comment:
        // A space would be a combinator, and without the comment, two names could become one.
        text += "/**/".utf8
        return true
      case .word:
        let isFunction = range.upperBound < scanner.text.endIndex && scanner.text[range.upperBound] == UInt8(ascii: "(")
        if isFunction { try scanner.checkEscapes(range) }
        text += scanner.text[range]
        return !scanner.text[range].contains(UInt8(ascii: "\\"))
      default:
        try scanner.append(part, range, to: &text)
        guard case .byte(let byte) = part else { return false }
        return !"*[:".utf8.contains(byte)
      }
    }

    private mutating func readBlock(_ rule: inout Rule) throws(CodecError) {
      let start = text.count
      closers = [UInt8(ascii: "}")]
      while !closers.isEmpty {
        guard let (part, range) = scanner.next() else {
          // The end of the text closes all blocks.
          text += closers.dropFirst().reversed()
          break
        }
        if case .byte(UInt8(ascii: "{")) = part { rule.isPlain = false }
        if try nest(part), closers.isEmpty { break }
        try scanner.append(part, range, to: &text)
      }
      rule.declarations = start..<text.count
    }
  }
#endif
