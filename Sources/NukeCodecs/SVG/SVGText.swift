#if SVG
  import Foundation

  /// The markup of a drawing in the form that is passed to librsvg: UTF-8, without comments, processing instructions
  /// and a document type, and with declared entities replaced.
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

    init(_ data: Data) throws(CodecError) {
      try DecodeWork.markup.check(Double(data.count), .svg)
      input = try Self.decoded(data)
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

    /// Converts the data to UTF-8, according to the XML declaration.
    private static func decoded(_ data: Data) throws(CodecError) -> [UInt8] {
      var bytes = [UInt8](data)
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
      output += text
      if open.last == "style" { markup.addStyles(Self.resolved(text)) }
    }

    private mutating func readMarkup() throws(CodecError) {
      if starts("<!--", at: position) {
        position = try find("-->", from: position + 4) + 3
      } else if starts("<![CDATA[", at: position) {
        let end = try find("]]>", from: position) + 3
        output += input[position..<end]
        if open.last == "style" { markup.addStyles(input[position + 9..<end - 3]) }
        position = end
      } else if starts("<?", at: position) {
        guard !starts("<?xml-stylesheet", at: position) else {
          throw .unsupported(.svg, feature: "an external style sheet")
        }
        position = try find("?>", from: position) + 2
      } else if starts("<!", at: position) {
        try readDocumentType()
      } else if starts("</", at: position) {
        let end = try find(">", from: position) + 1
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
      var offset = position + 1
      let element = name(&offset)
      guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
      guard !element.isEmpty else { throw malformed("a tag without a name") }
      output += input[position..<offset]
      var attributes: [SVGMarkup.Attribute] = []
      while true {
        let start = offset
        skipSpace(&offset)
        guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
        if input[offset] == UInt8(ascii: ">") || starts("/>", at: offset) { break }
        guard input[offset] != UInt8(ascii: "/") || offset + 1 < input.count else {
          throw .truncated(.svg, byteCount: input.count)
        }
        let attribute = nameBytes(&offset)
        skipSpace(&offset)
        guard offset < input.count else { throw .truncated(.svg, byteCount: input.count) }
        guard !attribute.isEmpty, input[offset] == UInt8(ascii: "=") else {
          throw malformed("an attribute without a value")
        }
        offset += 1
        skipSpace(&offset)
        output += input[start..<offset]
        let value = try expanded(try quoted(&offset))
        // The original quotes. Quotes inside entities are written as references.
        output.append(input[offset - 1])
        output += value
        output.append(input[offset - 1])
        attributes.append(SVGMarkup.Attribute(name: attribute, value: Self.resolved(value)))
        try DecodeWork.attributes.check(Double(attributes.count), .svg)
      }
      let isEmpty = input[offset] == UInt8(ascii: "/")
      output += isEmpty ? " />".utf8 : ">".utf8
      position = offset + (isEmpty ? 2 : 1)
      let local = element.split(separator: ":").last.map(String.init) ?? element
      try markup.begin(local, attributes)
      if isEmpty { markup.end() } else { open.append(local) }
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
