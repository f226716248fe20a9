/// Parses Pango's markup.
struct WatermarkMarkup {
  private var rest: Substring
  /// The names of the open elements, and the look of their text.
  private var open: [(name: String, look: WatermarkText.Run)] = []

  /// The deepest nesting of elements.
  private static let deepest = 16

  init(_ text: String) { rest = text[...] }

  static func error(_ reason: String) -> ServingError { .invalidOption("watermark_text", reason) }

  private var look: WatermarkText.Run { open.last?.look ?? WatermarkText.Run(text: "") }

  /// Parses the whole text.
  mutating func lines() throws(ServingError) -> [[WatermarkText.Run]] {
    var lines: [[WatermarkText.Run]] = [[]]
    while let character = rest.first {
      if character == "<" {
        try readTag()
        continue
      }
      let text = try readText()
      for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { lines.append([]) }
        guard !part.isEmpty else { continue }
        var run = look
        run.text = String(part)
        lines[lines.count - 1].append(run)
      }
    }
    guard open.isEmpty else { throw Self.error("the element \(open[open.count - 1].name) is not closed") }
    return lines
  }

  private mutating func readText() throws(ServingError) -> String {
    let raw = rest.prefix { $0 != "<" }
    rest = rest[raw.endIndex...]
    return try Self.unescaped(raw.replacing("\r\n", with: "\n"))
  }

  /// Replaces entities. Control characters, which XML cannot contain, are left out.
  private static func unescaped(_ text: some StringProtocol) throws(ServingError) -> String {
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      guard let end = rest[start...].firstIndex(of: ";") else { throw error("an & has to be written as &amp;") }
      let name = rest[rest.index(after: start)..<end]
      let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
      if let character = named[String(name)] {
        result += character
      } else if name.hasPrefix("#"),
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst()),
        let scalar = Unicode.Scalar(number)
      {
        result.unicodeScalars.append(scalar)
      } else {
        throw error("there is no entity &\(name.prefix(16));")
      }
      rest = rest[rest.index(after: end)...]
    }
    result += rest
    result.unicodeScalars.removeAll {
      ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0.value & 0xFFFE == 0xFFFE
    }
    return result
  }

  private mutating func readTag() throws(ServingError) {
    guard let end = rest.firstIndex(of: ">") else { throw Self.error("a < has to be written as &lt;") }
    let tag = rest[rest.index(after: rest.startIndex)..<end]
    rest = rest[rest.index(after: end)...]
    if tag.hasPrefix("/") {
      let name = tag.dropFirst().filter { !$0.isWhitespace }
      guard open.last?.name == name else { throw Self.error("the element \(name.prefix(16)) is not open") }
      open.removeLast()
      return
    }
    guard open.count < Self.deepest else { throw Self.error("elements are nested too deeply") }
    let name = String(tag.prefix { !$0.isWhitespace })
    var look = self.look
    let attributes = try Self.attributes(tag.dropFirst(name.count))
    switch name {
    case "span": for (key, value) in attributes { try look.set(key, value) }
    case "markup": break
    case "b": look.attributes["font-weight"] = "bold"
    case "i": look.attributes["font-style"] = "italic"
    case "u": look.attributes["text-decoration"] = "underline"
    case "s": look.attributes["text-decoration"] = "line-through"
    case "tt": look.attributes["font-family"] = "monospace"
    case "big": look.size *= 1.2
    case "small": look.size /= 1.2
    default: throw Self.error("there is no element \(name.prefix(16))")
    }
    guard name == "span" || attributes.isEmpty else { throw Self.error("only span has attributes") }
    open.append((name, look))
  }

  /// Parses `name="value"` and `name='value'`.
  private static func attributes(_ text: Substring) throws(ServingError) -> [(name: String, value: String)] {
    var attributes: [(name: String, value: String)] = []
    var rest = text.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "=") else { throw error("an attribute has no value") }
      let name = rest[..<equals].filter { !$0.isWhitespace }
      let quoted = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = quoted.first, quote == "\"" || quote == "'",
        let end = quoted.dropFirst().firstIndex(of: quote)
      else { throw error("the value of \(name.prefix(24)) is not in quotes") }
      attributes.append((name, try unescaped(quoted.dropFirst()[..<end])))
      rest = quoted[quoted.index(after: end)...].drop(while: \.isWhitespace)
    }
    return attributes
  }
}

extension WatermarkText.Run {
  /// Sets an attribute of `span`.
  fileprivate mutating func set(_ name: String, _ value: String) throws(ServingError) {
    switch name {
    case "foreground", "fgcolor", "color": attributes["fill"] = try Self.color(value)
    case "alpha", "fgalpha": attributes["fill-opacity"] = try Self.opacity(value)
    case "font_family", "face": attributes["font-family"] = try Self.family(value)
    case "size", "font_size": size = try Self.size(value, of: size)
    case "weight", "font_weight": attributes["font-weight"] = try Self.weight(value)
    case "style", "font_style":
      guard ["normal", "italic", "oblique"].contains(value) else { throw Self.invalid(name, value) }
      attributes["font-style"] = value
    case "underline":
      guard ["none", "single"].contains(value) else { throw Self.invalid(name, value) }
      attributes["text-decoration"] = value == "none" ? "none" : "underline"
    case "strikethrough":
      guard ["true", "false"].contains(value) else { throw Self.invalid(name, value) }
      attributes["text-decoration"] = value == "true" ? "line-through" : "none"
    case "font", "font_desc": try set(font: value)
    default: throw WatermarkMarkup.error("the attribute \(name.prefix(24)) is not supported")
    }
  }

  private static func invalid(_ name: String, _ value: String) -> ServingError {
    WatermarkMarkup.error("\(value.prefix(24)) is not a value of \(name)")
  }

  private static func color(_ text: String) throws(ServingError) -> String {
    let digits = text.dropFirst()
    let isHexadecimal =
      text.hasPrefix("#") && [3, 6].contains(digits.count)
      && digits.utf8.allSatisfy { PercentEncoding.digit($0) != nil }
    guard isHexadecimal || (1...32).contains(text.count) && text.utf8.allSatisfy(\.isLetter) else {
      throw invalid("foreground", text)
    }
    return text
  }

  /// A percentage, or a number of 65536ths.
  private static func opacity(_ text: String) throws(ServingError) -> String {
    let share = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Int(text).map { Double($0) / 65_536 }
    guard let share, (0...1).contains(share) else { throw invalid("alpha", text) }
    return "\(share)"
  }

  private static func family(_ text: String) throws(ServingError) -> String {
    guard (1...64).contains(text.count), text.utf8.allSatisfy({ $0.isLetterOrDigit || " ,-".utf8.contains($0) }) else {
      throw invalid("font_family", text)
    }
    return text
  }

  private static func weight(_ text: String) throws(ServingError) -> String {
    let names = [
      "ultralight": 200, "light": 300, "normal": 400, "medium": 500, "semibold": 600, "bold": 700, "ultrabold": 800,
      "heavy": 900,
    ]
    guard let weight = names[text] ?? Int(text), (100...900).contains(weight) else { throw invalid("weight", text) }
    // Older versions of librsvg know only these numbers.
    return "\((weight + 50) / 100 * 100)"
  }

  /// A number of 1024ths of a point, points, pixels, a percentage, or a name.
  private static func size(_ text: String, of outer: Double) throws(ServingError) -> Double {
    let names = [
      "xx-small": 1 / 1.728, "x-small": 1 / 1.44, "small": 1 / 1.2, "medium": 1, "large": 1.2, "x-large": 1.44,
      "xx-large": 1.728,
    ]
    let size: Double? =
      if let factor = names[text] {
        WatermarkText.defaultSize * factor
      } else if text == "smaller" || text == "larger" {
        text == "larger" ? outer * 1.2 : outer / 1.2
      } else if text.hasSuffix("pt") || text.hasSuffix("px") {
        Double(text.dropLast(2))
      } else if text.hasSuffix("%") {
        Double(text.dropLast()).map { $0 / 100 * outer }
      } else {
        Int(text).map { Double($0) / 1024 }
      }
    guard let size, (1...1000).contains(size) else { throw invalid("size", text) }
    return size
  }

  /// A family, styles and a size, such as `Sans Bold 20`.
  private mutating func set(font text: String) throws(ServingError) {
    var words = text.split(separator: " ").map(String.init)
    if let last = words.last, last.utf8.first?.isDigit == true {
      size = try Self.size(last.hasSuffix("px") ? last : last + "pt", of: size)
      words.removeLast()
    }
    while let word = words.last?.lowercased() {
      if ["italic", "oblique"].contains(word) {
        attributes["font-style"] = word
      } else if word != "normal", let weight = try? Self.weight(word.replacing("-", with: "")), Int(word) == nil {
        attributes["font-weight"] = weight
      } else if !["normal", "regular"].contains(word) {
        break
      }
      words.removeLast()
    }
    if !words.isEmpty { attributes["font-family"] = try Self.family(words.joined(separator: " ")) }
  }
}
