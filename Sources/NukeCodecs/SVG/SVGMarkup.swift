#if SVG
  import Foundation

  /// The elements of an SVG drawing, with the properties that determine the cost of drawing them.
  struct SVGMarkup {
    struct Element {
      let name: String
      var children: [Int] = []
      /// The properties of its attributes, and those of its own `style`.
      var style = SVGStyle()
      /// The properties that style sheets may add.
      var sheets: SVGStyle?
      /// Its path, or the points of its polygon.
      var path: SVGPathMeasure?
      /// The number of bytes of its text, if it is a text element, including its descendants.
      var textByteCount = 0
      /// The shorter side of the `viewBox`.
      var viewSide: Double?
      /// `true` if lengths in it are fractions of the element that refers to it.
      var isRelative = false
    }

    /// An attribute, with entities replaced.
    struct Attribute {
      let name: ArraySlice<UInt8>
      let value: ArraySlice<UInt8>

      /// The name by which librsvg knows it; `nil` for an attribute of another namespace. Only links have one.
      var knownName: String? {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return String(decoding: name, as: UTF8.self) }
        return name[(colon + 1)...].elementsEqual("href".utf8) ? "href" : nil
      }
    }

    private(set) var elements: [Element] = []
    /// The elements by the number of their identifier. If several elements have the same identifier, all of them count,
    /// because it is unknown which one librsvg uses.
    private(set) var named: [[Int]] = []
    /// The width and height of the first element's view box.
    private(set) var viewBox: (width: Double, height: Double)?
    /// The embedded images, encoded.
    private(set) var images: [Data] = []
    private var numbers: [String: Int] = [:]
    private var referenceCount = 0
    private var styles: [UInt8] = []
    private var path: [Int] = []
    private var deepest = 0
    /// The elements by the words of selectors: element names, classes and identifiers. This matches more elements than
    /// the selectors do.
    private var words: [Set<String>] = []

    /// The filter steps whose cost a drawing can choose freely, or that abort librsvg 2.54: `feTile` of what is outside
    /// of the image.
    private static let refusedElements: Set<String> = ["feConvolveMatrix", "feMorphology", "feTile"]

    mutating func begin(_ name: String, _ attributes: [Attribute]) throws(CodecError) {
      try DecodeWork.levels.check(Double(path.count + 1), .svg)
      try DecodeWork.elements.check(Double(elements.count + 1), .svg)
      guard !Self.refusedElements.contains(name) else { throw .unsupported(.svg, feature: "the filter \(name)") }
      guard name != "include" else { throw .unsupported(.svg, feature: "included documents") }
      var element = Element(name: name)
      var words: Set = [name]
      let index = elements.count
      for attribute in attributes {
        guard let key = attribute.knownName else { continue }
        switch key {
        case "id":
          let value = String(decoding: attribute.value, as: UTF8.self)
          words.insert(value)
          named[number(of: value)].append(index)
        case "class":
          for word in attribute.value.split(whereSeparator: SVGText.isSpace) {
            words.insert(String(decoding: word, as: UTF8.self))
          }
          try count(references: words.count)
        case "href": try readLink(attribute.value, of: name, &element)
        case "style":
          try read(declarations: String(decoding: attribute.value, as: UTF8.self), into: &element.style)
        case "d" where name == "path": element.path = SVGPathMeasure(path: attribute.value)
        case "points" where name.hasPrefix("poly"): element.path = SVGPathMeasure(points: attribute.value)
        case "viewBox": readViewBox(attribute.value, &element)
        case "clipPathUnits", "maskContentUnits", "patternContentUnits", "patternUnits", "primitiveUnits":
          if attribute.value.elementsEqual("objectBoundingBox".utf8) { element.isRelative = true }
        case "numOctaves":
          var numbers = SVGNumbers(attribute.value)
          guard numbers.number() ?? 0 <= 8 else {
            let value = String(decoding: attribute.value, as: UTF8.self)
            throw .unsupported(.svg, feature: "turbulence of \(value) octaves")
          }
        default:
          guard SVGStyle.isKnown(key) else { continue }
          try read(key, String(decoding: attribute.value, as: UTF8.self), into: &element.style)
        }
      }
      if let parent = path.last { elements[parent].children.append(index) }
      elements.append(element)
      self.words.append(words)
      path.append(index)
      deepest = max(deepest, path.count)
    }

    mutating func end() { path.removeLast() }

    /// Counts text between tags, which is drawn only inside a text element.
    mutating func addText(byteCount: Int) {
      if let index = path.first(where: { elements[$0].name == "text" }) { elements[index].textByteCount += byteCount }
    }

    mutating func addStyles(_ text: some Sequence<UInt8>) { styles += text }

    /// Returns the number of an identifier.
    private mutating func number(of identifier: String) -> Int {
      if let number = numbers[identifier] { return number }
      numbers[identifier] = named.count
      named.append([])
      return named.count - 1
    }

    private mutating func count(references count: Int) throws(CodecError) {
      referenceCount += count
      try DecodeWork.references.check(Double(referenceCount), .svg)
    }

    private mutating func readViewBox(_ value: ArraySlice<UInt8>, _ element: inout Element) {
      var numbers = SVGNumbers(value)
      let sides = (0..<4).compactMap { _ in numbers.number() }
      guard sides.count == 4, sides[2] > 0, sides[3] > 0 else { return }
      element.viewSide = min(sides[2], sides[3])
      element.style.views.formMaximum(SVGLength(pixels: max(sides[2], sides[3])))
      if elements.isEmpty { viewBox = (sides[2], sides[3]) }
    }

    /// Reads a link to an element or an embedded image. librsvg does not load other targets.
    private mutating func readLink(
      _ value: ArraySlice<UInt8>, of name: String, _ element: inout Element
    ) throws(CodecError) {
      // URLs are parsed like in the URL standard: spaces around them, and tabs and line terminators inside, are
      // removed.
      var url = value
      if url.contains(where: { $0 < 32 }) { url = ArraySlice(url.filter { ![9, 10, 13].contains($0) }) }
      url = url.drop { $0 <= 32 }
      if url.first == UInt8(ascii: "#") {
        try count(references: 1)
        element.style.references.insert(number(of: String(decoding: url.dropFirst(), as: UTF8.self)))
      }
      guard url.prefix(5).elementsEqual("data:".utf8, by: { $0 | 0x20 == $1 }) else { return }
      guard name == "image" else { throw .unsupported(.svg, feature: "embedded data that is not an image") }
      guard let comma = url.firstIndex(of: UInt8(ascii: ",")),
        String(decoding: url[..<comma], as: UTF8.self).lowercased().hasSuffix(";base64"),
        let data = Data(base64Encoded: Data(url[url.index(after: comma)...].filter { $0 > 32 }))
      else { throw .unsupported(.svg, feature: "embedded images that are not in Base64") }
      images.append(data)
    }

    // MARK: Styles

    private mutating func read(declarations: String, into style: inout SVGStyle) throws(CodecError) {
      // Escapes could hide any name.
      guard !declarations.utf8.contains(UInt8(ascii: "\\")) else {
        throw .unsupported(.svg, feature: "escapes in styles")
      }
      for declaration in Self.withoutComments(declarations).split(separator: ";") {
        let parts = declaration.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        try read(
          parts[0].trimmingCharacters(in: .whitespacesAndNewlines).lowercased(),
          parts[1].trimmingCharacters(in: .whitespacesAndNewlines), into: &style)
      }
    }

    private mutating func read(_ property: String, _ value: String, into style: inout SVGStyle) throws(CodecError) {
      style.read(property, value)
      // A reference is the argument of a function.
      guard value.utf8.contains(UInt8(ascii: "#")), value.utf8.contains(UInt8(ascii: "(")) else { return }
      try addReferences(value, isMarker: property.hasPrefix("marker"), to: &style)
    }

    /// Adds the names after each `#`. They may include names that are not elements.
    private mutating func addReferences(
      _ value: some StringProtocol, isMarker: Bool, to style: inout SVGStyle
    ) throws(CodecError) {
      for part in value.split(separator: "#", omittingEmptySubsequences: false).dropFirst() {
        try count(references: 1)
        let number = number(of: String(part.prefix { !")\"' ".contains($0) }))
        if isMarker { style.markers.insert(number) } else { style.references.insert(number) }
      }
    }

    private static func withoutComments(_ text: String) -> String {
      guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
      return text.replacing(#/(?s)\/\*.*?(\*\/|$)/#, with: " ")
    }

    /// Adds the properties of the style sheets to the elements. A rule applies to every element that a word of its
    /// selector names. If it is not a simple selector with declarations, it applies to all elements.
    mutating func applySheets() throws(CodecError) {
      guard !styles.isEmpty else { return }
      let text = Self.withoutComments(String(decoding: styles, as: UTF8.self))
      guard !text.lowercased().contains("@import") else {
        throw .unsupported(.svg, feature: "an external style sheet")
      }
      var rules: [SVGStyle] = []
      var byWord: [Substring: [Int]] = [:]
      var everywhere = SVGStyle()
      var comparisons = 0.0
      for block in text.split(separator: "}") {
        let parts = block.split(separator: "{", omittingEmptySubsequences: false)
        var rule = SVGStyle()
        try read(declarations: String(parts[parts.count - 1]), into: &rule)
        for selector in parts.dropLast() { comparisons += comparisonsPerElement(selector) }
        try DecodeWork.selectorMatches.check(comparisons * Double(elements.count), .svg)
        let isPlain = parts.count == 2 && !parts[0].utf8.contains { "*[:\\\"'".utf8.contains($0) }
        if !isPlain { try addReferences(String(block), isMarker: true, to: &rule) }
        guard !rule.isEmpty else { continue }
        guard isPlain else {
          everywhere.add(rule)
          continue
        }
        rules.append(rule)
        try DecodeWork.styleRules.check(Double(rules.count), .svg)
        let words = parts[0].split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        for word in Set(words) { byWord[word, default: []].append(rules.count - 1) }
      }
      var matches = 0
      for index in elements.indices {
        var sheets = everywhere
        try count(references: everywhere.references.count + everywhere.markers.count)
        for word in words[index] {
          for rule in byWord[word[...]] ?? [] {
            matches += 1
            try DecodeWork.selectorMatches.check(Double(matches), .svg)
            try count(references: rules[rule].references.count + rules[rule].markers.count)
            sheets.add(rules[rule])
          }
        }
        if !sheets.isEmpty { elements[index].sheets = sheets }
      }
    }

    /// Returns how many elements a selector list is compared with for one element: those around it, or beside it.
    private func comparisonsPerElement(_ selectors: Substring) -> Double {
      selectors.split(separator: ",").reduce(0) { sum, selector in
        let selector = selector.trimmingCharacters(in: .whitespacesAndNewlines)
        // Other elements with the same parent, or their positions.
        if selector.utf8.contains(where: { "~:".utf8.contains($0) }) { return sum + Double(elements.count) }
        let isNested = selector.utf8.contains { SVGText.isSpace($0) || $0 == UInt8(ascii: ">") }
        return sum + (isNested ? Double(deepest) : 1)
      }
    }
  }
#endif
