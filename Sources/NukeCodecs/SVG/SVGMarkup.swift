#if SVG
  import Foundation

  /// The elements of an SVG drawing, with the properties that determine the cost of drawing them.
  struct SVGMarkup {
    struct Element {
      var name: String
      var children: [Int] = []
      /// The names of the elements that it refers to. They may include names that are not elements.
      var references: [String] = []
      /// The names of the elements that are drawn at every point of a path. They may include names that are not
      /// elements.
      var markers: [String] = []
      /// The number of times that it is drawn into a separate layer and then composited, including filter steps.
      var layers = 0.0
      var byteCount: Int
      /// The number of bytes of its text, if it is a text element, including its descendants.
      var textByteCount = 0
    }

    private struct Rule {
      var references: [String] = []
      var markers: [String] = []
      var layers = 0.0

      var saysNothing: Bool { references.isEmpty && markers.isEmpty && layers == 0 }

      func apply(to element: inout Element) {
        element.references += references
        element.markers += markers
        element.layers += layers
      }
    }

    private(set) var elements: [Element] = []
    /// The elements by identifier. If several elements have the same identifier, all of them count, because it is
    /// unknown which one librsvg uses.
    private(set) var identifiers: [String: [Int]] = [:]
    /// The embedded images, encoded.
    private(set) var images: [Data] = []
    private var styles: [UInt8] = []
    private var path: [Int] = []
    /// The elements by the words of selectors: element names, classes and identifiers. This matches more elements than
    /// the selectors do.
    private var words: [[String]] = []

    /// The maximum number of open elements. libxml2 has the same limit.
    static let depthLimit = 256
    /// The maximum number of elements. Each takes about a kilobyte, and most drawings have a few hundred.
    static let countLimit = 200_000

    /// The filter steps whose cost a drawing can choose freely, or that are known to crash librsvg 2.54.
    private static let refusedElements: Set<String> = ["feConvolveMatrix", "feMorphology"]

    mutating func begin(
      _ name: String, _ attributes: [(name: String, value: String)], byteCount: Int
    ) throws(CodecError) {
      guard path.count < Self.depthLimit else {
        throw .unsupported(.svg, feature: "more than \(Self.depthLimit) levels of nested elements")
      }
      guard elements.count < Self.countLimit else {
        throw .unsupported(.svg, feature: "more than \(Self.countLimit) elements")
      }
      guard !Self.refusedElements.contains(name) else { throw .unsupported(.svg, feature: "the filter \(name)") }
      guard name != "include" else { throw .unsupported(.svg, feature: "included documents") }
      var element = Element(name: name, byteCount: byteCount)
      var words = [name]
      let index = elements.count
      for (attribute, value) in attributes {
        switch attribute.split(separator: ":").last {
        case "id":
          words.append(value)
          identifiers[value, default: []].append(index)
        case "class": words += value.split(whereSeparator: \.isWhitespace).map(String.init)
        case "href": try readLink(value, of: name, &element)
        case "style": try Self.rule(value).apply(to: &element)
        case "numOctaves":
          guard (Double(value.trimmingCharacters(in: .whitespaces)) ?? 0) <= 8 else {
            throw .unsupported(.svg, feature: "turbulence of \(value) octaves")
          }
        default:
          var rule = Rule()
          Self.read(attribute, value, into: &rule)
          rule.apply(to: &element)
        }
      }
      if let parent = path.last { elements[parent].children.append(index) }
      elements.append(element)
      self.words.append(words)
      path.append(index)
    }

    mutating func end() { path.removeLast() }

    /// Counts text between tags, which is drawn only inside a text element.
    mutating func addText(byteCount: Int) {
      if let index = path.first(where: { elements[$0].name == "text" }) { elements[index].textByteCount += byteCount }
    }

    mutating func addStyles(_ text: some Sequence<UInt8>) { styles += text }

    /// Reads a link to an element or an embedded image. librsvg does not load other targets.
    private mutating func readLink(_ value: String, of name: String, _ element: inout Element) throws(CodecError) {
      // URLs are parsed like in the URL standard: spaces around them, and tabs and line terminators inside, are
      // removed.
      let url = value.filter { !$0.isNewline && $0 != "\t" }.drop { $0.asciiValue.map { $0 <= 32 } ?? false }
      if url.hasPrefix("#") { element.references.append(String(url.dropFirst())) }
      guard url.prefix(5).lowercased() == "data:" else { return }
      guard name == "image" else { throw .unsupported(.svg, feature: "embedded data that is not an image") }
      guard let comma = url.firstIndex(of: ","), url[..<comma].lowercased().hasSuffix(";base64"),
        let data = Data(base64Encoded: String(url[url.index(after: comma)...].filter { !$0.isWhitespace }))
      else { throw .unsupported(.svg, feature: "embedded images that are not in Base64") }
      images.append(data)
    }

    // MARK: Styles

    private static func rule(_ declarations: String) throws(CodecError) -> Rule {
      // Escapes could hide any name.
      guard !declarations.contains("\\") else { throw .unsupported(.svg, feature: "escapes in styles") }
      var rule = Rule()
      for declaration in withoutComments(declarations).split(separator: ";") {
        let parts = declaration.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        read(
          parts[0].trimmingCharacters(in: .whitespacesAndNewlines).lowercased(),
          parts[1].trimmingCharacters(in: .whitespacesAndNewlines), into: &rule)
      }
      return rule
    }

    private static func withoutComments(_ text: String) -> String {
      guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
      return text.replacing(#/(?s)\/\*.*?(\*\/|$)/#, with: " ")
    }

    private static func read(_ property: String, _ value: String, into rule: inout Rule) {
      if value.contains("#") {
        let names = references(value)
        if property.hasPrefix("marker") { rule.markers += names } else { rule.references += names }
      }
      switch property {
      case "opacity": rule.layers += Double(value) == 1 ? 0 : 1
      case "filter":
        // Functions such as blur() are filters with one step.
        let functions = value.count { $0 == "(" }
        rule.layers += value == "none" ? 0 : 1 + Double(functions) * SVGCost.layersPerFilterStep
      case "mask": rule.layers += value == "none" ? 0 : 1
      case "mix-blend-mode": rule.layers += value == "normal" ? 0 : 1
      case "isolation": rule.layers += value == "auto" ? 0 : 1
      default: break
      }
    }

    /// Returns the names after each `#`.
    private static func references(_ value: String) -> [String] {
      value.split(separator: "#", omittingEmptySubsequences: false).dropFirst().map { part in
        String(part.prefix { !")\"' ".contains($0) })
      }
    }

    /// Returns the elements with the properties that style sheets add. A rule applies to every element that a word of
    /// its selector names. If it is not a simple selector with declarations, it applies to all elements.
    func styled() throws(CodecError) -> [Element] {
      guard !styles.isEmpty else { return elements }
      let text = Self.withoutComments(String(decoding: styles, as: UTF8.self))
      guard !text.lowercased().contains("@import") else {
        throw .unsupported(.svg, feature: "an external style sheet")
      }
      var rules: [Rule] = []
      var byWord: [String: [Int]] = [:]
      var everywhere: [Int] = []
      for block in text.split(separator: "}") {
        let parts = block.split(separator: "{", omittingEmptySubsequences: false)
        var rule = try Self.rule(String(parts[parts.count - 1]))
        let isPlain = parts.count == 2 && !parts[0].contains { "*[:\\\"'".contains($0) }
        if !isPlain { rule.markers += Self.references(String(block)) }
        guard !rule.saysNothing else { continue }
        rules.append(rule)
        guard isPlain else {
          everywhere.append(rules.count - 1)
          continue
        }
        let words = parts[0].split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        for word in Set(words) { byWord[String(word), default: []].append(rules.count - 1) }
      }
      guard rules.count <= 10_000, everywhere.count <= 16 else {
        throw .unsupported(.svg, feature: "\(rules.count) styles")
      }
      var elements = elements
      for index in elements.indices {
        for rule in everywhere + words[index].flatMap({ byWord[$0] ?? [] }) { rules[rule].apply(to: &elements[index]) }
      }
      return elements
    }
  }
#endif
