#if SVG
  import Foundation

  /// The markup of a drawing in the form that is passed to librsvg: UTF-8, without comments, processing instructions
  /// and a document type, with declared entities replaced, and without what refers to something external.
  ///
  /// The result cannot expand any further. Everything that libxml2 checks itself is not checked here.
  struct SVGText {
    private(set) var output: [UInt8] = []
    private(set) var markup = SVGMarkup()
    private let input: [UInt8]
    private var position = 0
    private var entities: [String: [UInt8]] = [:]
    /// The names of the open elements.
    private var open: [String] = []
    /// The text of the open `style` element, up to its next child.
    private var sheet: [UInt8] = []

    init(_ data: Data) throws(CodecError) {
      try DecodeWork.markup.check(Double(data.count), .svg)
      input = try Self.decoded(
        SVGCompression.isCompressed(data) ? SVGCompression.decompressed(data) : [UInt8](data))
      output.reserveCapacity(input.count)
      while position < input.count, !isComplete {
        if input[position] == UInt8(ascii: "<") { try readMarkup() } else { try readText() }
      }
      guard isComplete else { throw .truncated(.svg, byteCount: data.count) }
      guard String(validating: input[..<position], as: UTF8.self) != nil else {
        throw .malformed(.svg, reason: "the text is not UTF-8", offset: nil)
      }
    }

    /// `true` if the first element has ended. What follows is ignored.
    private var isComplete: Bool { !markup.elements.isEmpty && open.isEmpty }

    // MARK: Encodings

    /// Converts text to UTF-8, according to the byte order mark or else the XML declaration.
    private static func decoded(_ text: [UInt8]) throws(CodecError) -> [UInt8] {
      if let text = UTF16Text.utf8(text) {
        try DecodeWork.markup.check(Double(text.count), .svg)
        return text
      }
      var bytes = text
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      let head = String(decoding: bytes.prefix(256), as: UTF8.self)
      if head.hasPrefix("<?xml"), let end = head.range(of: "?>"),
        let name = head[..<end.lowerBound].range(of: "encoding")
      {
        let value = head[name.upperBound..<end.lowerBound].drop { $0 == " " || $0 == "=" }
        let encoding = value.dropFirst().prefix { $0 != "\"" && $0 != "'" }.lowercased()
        switch encoding {
        case "utf-8", "utf8", "us-ascii", "ascii": break
        case "iso-8859-1", "latin1":
          bytes = bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
        default: throw .unsupported(.svg, feature: "the encoding \(encoding)")
        }
      }
      return bytes
    }

    // MARK: Parts

    private func starts(_ text: StaticString, at offset: Int) -> Bool {
      guard offset + text.utf8CodeUnitCount <= input.count else { return false }
      return (0..<text.utf8CodeUnitCount).allSatisfy { input[offset + $0] == text.utf8Start[$0] }
    }

    /// Returns the first position of `text` after `offset`.
    private func find(_ text: StaticString, from offset: Int) throws(CodecError) -> Int {
      var offset = offset
      while offset < input.count {
        if starts(text, at: offset) { return offset }
        offset += 1
      }
      throw .truncated(.svg, byteCount: input.count)
    }

    private func malformed(_ reason: String) -> CodecError {
      .malformed(.svg, reason: reason, offset: position)
    }

    private mutating func readText() throws(CodecError) {
      let end = input[position...].firstIndex(of: UInt8(ascii: "<")) ?? input.count
      defer { position = end }
      guard !open.isEmpty else { return }
      let text = try expanded(input[position..<end])
      markup.addText(byteCount: text.count)
      if open.last == "style" { sheet += Self.resolved(text) } else { output += text }
    }

    /// Passes on the text of a `style` element.
    private mutating func endSheet() throws(CodecError) {
      guard !sheet.isEmpty else { return }
      let rules = try SVGSheet(sheet[...])
      sheet = []
      for byte in rules.text {
        // Without it, there is no at-rule, however the text is divided. In a string, the escape is the same character.
        if byte == UInt8(ascii: "@") { output += "\\40 ".utf8 } else { Self.append(byte, to: &output) }
      }
      try DecodeWork.markup.check(Double(output.count), .svg)
      markup.add(rules)
    }

    /// Appends a byte of text or of an attribute as markup.
    private static func append(_ byte: UInt8, to output: inout [UInt8]) {
      switch byte {
      // Line terminators and tabs in an attribute would become spaces.
      case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        output += "&#\(byte);".utf8
      default: output.append(byte)
      }
    }

    private mutating func readMarkup() throws(CodecError) {
      if starts("<!--", at: position) {
        position = try find("-->", from: position + 4) + 3
      } else if starts("<![CDATA[", at: position) {
        let end = try find("]]>", from: position) + 3
        if open.last == "style" { sheet += input[position + 9..<end - 3] } else { output += input[position..<end] }
        position = end
      } else if starts("<?", at: position) {
        // Such as `<?xml-stylesheet`.
        position = try find("?>", from: position) + 2
      } else if starts("<!", at: position) {
        try readDocumentType()
      } else if starts("</", at: position) {
        let end = try find(">", from: position) + 1
        try endSheet()
        guard open.popLast() != nil else { throw malformed("an end tag without a start tag") }
        markup.end()
        output += input[position..<end]
        position = end
      } else {
        try readElement()
      }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isName(_ byte: UInt8) -> Bool {
      !isSpace(byte) && !"<>/='\"&;[]!?".utf8.contains(byte)
    }

    private func skipSpace(_ offset: inout Int) {
      while offset < input.count, Self.isSpace(input[offset]) { offset += 1 }
    }

    private func nameBytes(_ offset: inout Int) -> ArraySlice<UInt8> {
      let start = offset
      while offset < input.count, Self.isName(input[offset]) { offset += 1 }
      return input[start..<offset]
    }

    private func name(_ offset: inout Int) -> String { String(decoding: nameBytes(&offset), as: UTF8.self) }

    /// Reads a quoted value.
    private func quoted(_ offset: inout Int) throws(CodecError) -> ArraySlice<UInt8> {
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      let quote = input[offset]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw malformed("a value without quotes") }
      guard let end = input[(offset + 1)...].firstIndex(of: quote) else {
        throw .truncated(.svg, byteCount: input.count)
      }
      defer { offset = end + 1 }
      return input[offset + 1..<end]
    }

    private mutating func readElement() throws(CodecError) {
      try endSheet()
      var offset = position + 1
      let element = nameBytes(&offset)
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      guard !element.isEmpty else { throw malformed("a tag without a name") }
      // Bytes, because a character may consist of a colon and others.
      let local = String(decoding: element.split(separator: UInt8(ascii: ":")).last ?? element, as: UTF8.self)
      output += input[position..<offset]
      var attributes: [SVGMarkup.Attribute] = []
      while try readAttribute(of: local, &offset, &attributes) {
        try DecodeWork.attributes.check(Double(attributes.count), .svg)
      }
      let isEmpty = input[offset] == UInt8(ascii: "/")
      output += isEmpty ? " />".utf8 : ">".utf8
      position = offset + (isEmpty ? 2 : 1)
      try markup.begin(local, attributes)
      if isEmpty { markup.end() } else { open.append(local) }
    }

    /// Reads an attribute, and appends it in the form that is passed on. Returns `false` at the end of the tag.
    private mutating func readAttribute(
      of element: String, _ offset: inout Int, _ attributes: inout [SVGMarkup.Attribute]
    ) throws(CodecError) -> Bool {
      let start = offset
      skipSpace(&offset)
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      if input[offset] == UInt8(ascii: ">") || starts("/>", at: offset) { return false }
      guard input[offset] != UInt8(ascii: "/") || offset + 1 < input.count else {
        throw .truncated(.svg, byteCount: input.count)
      }
      let name = nameBytes(&offset)
      skipSpace(&offset)
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      guard !name.isEmpty, input[offset] == UInt8(ascii: "=") else { throw malformed("an attribute without a value") }
      offset += 1
      skipSpace(&offset)
      let equals = offset
      var raw = try expanded(try quoted(&offset))
      // An XML parser does the same (XML 1.0, §3.3.3). It keeps those of character references.
      if raw.contains(where: Self.isLineOrTab) { raw = ArraySlice(raw.map { Self.isLineOrTab($0) ? 0x20 : $0 }) }
      let value = Self.resolved(raw)
      let knownName = Self.knownName(name)
      guard let passed = try passed(value, knownName, of: element) else {
        // It counts, so that the number of attributes is limited.
        attributes.append(SVGMarkup.Attribute(knownName: nil, value: []))
        return true
      }
      output += input[start..<equals]
      // The original quotes. Quotes inside entities are written as references.
      output.append(input[offset - 1])
      if passed == value { output += raw } else { for byte in passed { Self.append(byte, to: &output) } }
      output.append(input[offset - 1])
      attributes.append(SVGMarkup.Attribute(knownName: knownName, value: passed))
      return true
    }

    private static func isLineOrTab(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Returns the value of an attribute in the form that is passed on; `nil` if the attribute is ignored.
    private mutating func passed(
      _ value: ArraySlice<UInt8>, _ name: String?, of element: String
    ) throws(CodecError) -> ArraySlice<UInt8>? {
      switch name {
      case nil: value
      case "href": markup.passed(link: value, of: element)
      case let name?: SVGMarkup.isCSS(name) ? try CSSScanner.passed(value) : value
      }
    }

    /// Returns the name by which librsvg knows an attribute; `nil` for one of another namespace. Only links have one.
    private static func knownName(_ name: ArraySlice<UInt8>) -> String? {
      guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return String(decoding: name, as: UTF8.self) }
      return name[(colon + 1)...].elementsEqual("href".utf8) ? "href" : nil
    }

    // MARK: Entities

    /// Reads the declared entities and drops the rest of the document type.
    private mutating func readDocumentType() throws(CodecError) {
      guard starts("<!DOCTYPE", at: position) else { throw malformed("a declaration in the drawing") }
      var offset = position + 9
      var isInside = false
      while true {
        guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
        switch input[offset] {
        case UInt8(ascii: ">") where !isInside:
          position = offset + 1
          return
        case UInt8(ascii: "["):
          isInside = true
          offset += 1
        case UInt8(ascii: "]"):
          isInside = false
          offset += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try quoted(&offset)
        case UInt8(ascii: "<") where starts("<!--", at: offset): offset = try find("-->", from: offset + 4) + 3
        case UInt8(ascii: "<") where starts("<!ENTITY", at: offset): try readEntity(&offset)
        default: offset += 1
        }
      }
    }

    private mutating func readEntity(_ offset: inout Int) throws(CodecError) {
      offset += 8
      skipSpace(&offset)
      let entity = name(&offset)
      skipSpace(&offset)
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      // Parameter entities and external entities are stored without a value.
      guard entity != "%", input[offset] == UInt8(ascii: "\"") || input[offset] == UInt8(ascii: "'")
      else { throw .unsupported(.svg, feature: "external entities") }
      let value = try quoted(&offset)
      guard !value.contains(where: { "&%<".utf8.contains($0) }) else {
        throw .unsupported(.svg, feature: "entities within entities")
      }
      entities[entity] = value.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "\""): Array("&quot;".utf8)
        case UInt8(ascii: "'"): Array("&apos;".utf8)
        default: [byte]
        }
      }
    }

    /// Returns the text with declared entities replaced.
    private func expanded(_ text: ArraySlice<UInt8>) throws(CodecError) -> ArraySlice<UInt8> {
      guard !entities.isEmpty, text.contains(UInt8(ascii: "&")) else { return text }
      var result: [UInt8] = []
      try Self.replaceReferences(in: text, &result) { (name, result) throws(CodecError) in
        guard let value = entities[String(decoding: name, as: UTF8.self)] else { return false }
        result += value
        try DecodeWork.markup.check(Double(output.count + result.count), .svg)
        return true
      }
      return result[...]
    }

    private static let characters: [String: UInt8] = [
      "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
      "apos": UInt8(ascii: "'"),
    ]

    /// Returns a value with character references replaced.
    private static func resolved(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard value.contains(UInt8(ascii: "&")) else { return value }
      var result: [UInt8] = []
      replaceReferences(in: value, &result) { name, result in
        if let character = characters[String(decoding: name, as: UTF8.self)] {
          result.append(character)
          return true
        }
        guard name.first == UInt8(ascii: "#") else { return false }
        let digits = String(decoding: name.dropFirst(), as: UTF8.self)
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap(Unicode.Scalar.init) else { return false }
        result += String(scalar).utf8
        return true
      }
      return result[...]
    }

    /// Appends a text with its references replaced. A reference ends at the first character that is not part of a name.
    ///
    /// - Parameter replace: appends the value of a name. Returns `false` if it has none, so that the reference stays.
    private static func replaceReferences<Failure: Error>(
      in text: ArraySlice<UInt8>, _ result: inout [UInt8],
      with replace: (ArraySlice<UInt8>, inout [UInt8]) throws(Failure) -> Bool
    ) throws(Failure) {
      var position = text.startIndex
      while let start = text[position...].firstIndex(of: UInt8(ascii: "&")) {
        result += text[position..<start]
        let name = text[(start + 1)...].prefix { isName($0) || $0 == UInt8(ascii: "#") }
        let isReference = name.endIndex < text.endIndex && text[name.endIndex] == UInt8(ascii: ";")
        if isReference, try replace(name, &result) {
          position = name.endIndex + 1
        } else {
          result.append(UInt8(ascii: "&"))
          position = start + 1
        }
      }
      result += text[position...]
    }
  }
#endif
