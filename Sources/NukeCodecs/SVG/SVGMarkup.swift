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
      /// The name by which librsvg knows it; `nil` for an attribute of another namespace. Only links have one.
      let knownName: String?
      let value: ArraySlice<UInt8>
    }

    private(set) var elements: [Element] = []
    /// The elements by the number of their identifier. If several elements have the same identifier, all of them count,
    /// because it is unknown which one librsvg uses.
    private(set) var named: [[Int]] = []
    /// The width and height of the first element's view box.
    private(set) var viewBox: (width: Double, height: Double)?
    /// The headers of the embedded images that are drawn.
    private(set) var images: [ImageHeader] = []
    private var numbers: [String: Int] = [:]
    private var referenceCount = 0
    private var sheets: [SVGSheet] = []
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
          named[number(of: value.utf8)].append(index)
        case "class":
          for word in attribute.value.split(whereSeparator: SVGText.isSpace) {
            words.insert(String(decoding: word, as: UTF8.self))
          }
          try count(references: words.count)
        case "href": if let target = Self.target(attribute.value) { try addReference(target, to: &element.style) }
        case "style":
          try read(declarations: attribute.value, into: &element.style)
        case "d" where name == "path": element.path = SVGPathMeasure(path: attribute.value)
        case "points" where name.hasPrefix("poly"): element.path = SVGPathMeasure(points: attribute.value)
        case "viewBox": readViewBox(attribute.value, &element)
        case "clipPathUnits", "maskContentUnits", "patternContentUnits", "patternUnits", "primitiveUnits":
          var unit = SVGNumbers(attribute.value)
          if unit.word() == "objectboundingbox" { element.isRelative = true }
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

    mutating func add(_ sheet: SVGSheet) { sheets.append(sheet) }

    /// Returns `true` for an attribute whose value is CSS, of those that are read here.
    static func isCSS(_ name: String) -> Bool { SVGStyle.isKnown(name) || otherCSS.contains(name) }

    private static let otherCSS: Set<String> = [
      "clipPathUnits", "maskContentUnits", "numOctaves", "patternContentUnits", "patternUnits", "points",
      "primitiveUnits", "style", "viewBox",
    ]

    /// Returns the number of an identifier. Only the beginning counts, up to a character that might end it in a style.
    private mutating func number(of identifier: some Sequence<UInt8>) -> Int {
      let key = String(decoding: identifier.prefix { $0 > 0x20 && !"()\"';{}".utf8.contains($0) }, as: UTF8.self)
      if let number = numbers[key] { return number }
      numbers[key] = named.count
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

    // MARK: Links

    /// Returns the part of a link that names an element of the drawing; `nil` for other links.
    private static func target(_ link: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      let link = link.drop { $0 <= 32 }
      return link.first == UInt8(ascii: "#") ? link.dropFirst() : nil
    }

    private mutating func addReference(_ target: ArraySlice<UInt8>, to style: inout SVGStyle) throws(CodecError) {
      try count(references: 1)
      style.references.insert(number(of: target))
    }

    /// Returns a link in the form that is passed to librsvg: to an element, or to an embedded image that we decode too,
    /// whose header is noted. Returns `nil` for all others, which are ignored.
    mutating func passed(link: ArraySlice<UInt8>, of element: String) -> ArraySlice<UInt8>? {
      if Self.target(link) != nil { return link }
      guard element == "image", let image = Self.embeddedImage(link),
        let format = ImageFormat(sniffing: image), [.jpeg, .png, .gif, .webp].contains(format),
        let header = try? ImageReaders.reader(for: image, limits: .unlimited).header
      else { return nil }
      images.append(header)
      // Written again, so that librsvg decodes the same bytes.
      return ArraySlice("data:\(format.mediaType);base64,\(image.base64EncodedString())".utf8)
    }

    /// Returns the data of a `data:` URL in Base64 (RFC 2397); `nil` if it is another URL, or invalid.
    private static func embeddedImage(_ link: ArraySlice<UInt8>) -> Data? {
      // Spaces around a URL, and tabs and line terminators inside, are not a part of it (URL Standard, §4.4).
      let url = link.filter { ![9, 10, 13].contains($0) }.drop { $0 <= 32 }.prefix { $0 != UInt8(ascii: "#") }
      guard url.prefix(5).elementsEqual("data:".utf8, by: { $0 | 0x20 == $1 }),
        let comma = url.firstIndex(of: UInt8(ascii: ",")),
        String(decoding: url[..<comma], as: UTF8.self).lowercased().split(separator: ";").last?
          .trimmingCharacters(in: .whitespaces) == "base64",
        let text = String(decoding: url[(comma + 1)...].filter { $0 > 32 }, as: UTF8.self).removingPercentEncoding
      else { return nil }
      // The padding is optional.
      let digits = text.prefix { $0 != "=" }
      return Data(base64Encoded: String(digits) + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4))
    }

    // MARK: Styles

    /// Reads declarations, which may be divided too often: at a character in a string, or in a block within them.
    private mutating func read(declarations: ArraySlice<UInt8>, into style: inout SVGStyle) throws(CodecError) {
      // Bytes, because a character may consist of a semicolon and others.
      for declaration in declarations.split(whereSeparator: { ";{}".utf8.contains($0) }) {
        guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
        try read(
          Self.trimmed(declaration[..<colon]).lowercased(), Self.trimmed(declaration[(colon + 1)...]), into: &style)
      }
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> String {
      String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private mutating func read(_ property: String, _ value: String, into style: inout SVGStyle) throws(CodecError) {
      style.read(property, value)
      // A reference is the argument of a function.
      guard value.utf8.contains(UInt8(ascii: "#")), value.utf8.contains(UInt8(ascii: "(")) else { return }
      try addReferences(value.utf8, isMarker: property.hasPrefix("marker"), to: &style)
    }

    /// Adds the names after each `#`. They may include names that are not elements.
    private mutating func addReferences(
      _ value: some Collection<UInt8>, isMarker: Bool, to style: inout SVGStyle
    ) throws(CodecError) {
      for part in value.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false).dropFirst() {
        try count(references: 1)
        let number = number(of: part)
        if isMarker { style.markers.insert(number) } else { style.references.insert(number) }
      }
    }

    /// Adds the properties of the style sheets to the elements. A rule applies to every element that a word of its
    /// selectors names. If it is not plain, it applies to all elements.
    mutating func applySheets() throws(CodecError) {
      var rules: [SVGStyle] = []
      var byWord: [String: [Int]] = [:]
      var everywhere = SVGStyle()
      var comparisons = 0.0
      for sheet in sheets {
        for rule in sheet.rules {
          let (selectors, declarations) = (sheet.text[rule.selectors], sheet.text[rule.declarations])
          var style = SVGStyle()
          try read(declarations: declarations, into: &style)
          comparisons += comparisonsPerElement(selectors)
          try DecodeWork.selectorMatches.check(comparisons * Double(elements.count), .svg)
          if !rule.isPlain { try addReferences(declarations, isMarker: true, to: &style) }
          guard !style.isEmpty else { continue }
          guard rule.isPlain else {
            everywhere.add(style)
            continue
          }
          rules.append(style)
          try DecodeWork.styleRules.check(Double(rules.count), .svg)
          for word in Set(selectors.split { !CSSScanner.isName($0) }) {
            byWord[String(decoding: word, as: UTF8.self), default: []].append(rules.count - 1)
          }
        }
      }
      guard !rules.isEmpty || !everywhere.isEmpty else { return }
      var matches = 0
      for index in elements.indices {
        var sheets = everywhere
        try count(references: everywhere.references.count + everywhere.markers.count)
        for word in words[index] {
          for rule in byWord[word] ?? [] {
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
    private func comparisonsPerElement(_ selectors: ArraySlice<UInt8>) -> Double {
      selectors.split(separator: UInt8(ascii: ",")).reduce(0) { sum, selector in
        // Other elements with the same parent, or their positions.
        if selector.contains(where: { "~:".utf8.contains($0) }) { return sum + Double(elements.count) }
        let isNested = Self.trimmed(selector).utf8.contains { SVGText.isSpace($0) || $0 == UInt8(ascii: ">") }
        return sum + (isNested ? Double(deepest) : 1)
      }
    }
  }
#endif
