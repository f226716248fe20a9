#if SVG
  import Foundation

  /// A length of an SVG: an absolute part in CSS pixels, and parts relative to the viewport and the font, which are known
  /// only when it is used. All parts are magnitudes.
  struct SVGLength {
    var pixels = 0.0
    var percent = 0.0
    var ems = 0.0

    /// - Parameters:
    ///   - viewport: the side of the viewport that percentages refer to.
    ///   - font: the font size that `em` and `ex` refer to.
    func resolved(viewport: Double, font: Double) -> Double {
      var sum = pixels
      if percent > 0 { sum += percent / 100 * viewport }
      if ems > 0 { sum += ems * font }
      return sum
    }

    var isZero: Bool { pixels == 0 && percent == 0 && ems == 0 }

    static func + (one: SVGLength, other: SVGLength) -> SVGLength {
      SVGLength(pixels: one.pixels + other.pixels, percent: one.percent + other.percent, ems: one.ems + other.ems)
    }

    /// Makes each part at least as long as that of another length.
    mutating func formMaximum(_ other: SVGLength) {
      pixels = max(pixels, other.pixels)
      percent = max(percent, other.percent)
      ems = max(ems, other.ems)
    }
  }

  /// Reads the numbers, lengths and letters of an attribute, one after the other. Spaces and commas between them are
  /// skipped.
  struct SVGNumbers {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    init(_ text: String) { self.init(ArraySlice(text.utf8)) }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skipSeparators() {
      while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: ",") { position += 1 }
    }

    private static func digit(_ byte: UInt8?) -> Double? {
      guard let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      return Double(byte - UInt8(ascii: "0"))
    }

    /// Returns the next number, or `nil` if something else follows.
    mutating func number() -> Double? {
      skipSeparators()
      let start = position
      let isNegative = next == UInt8(ascii: "-")
      if isNegative || next == UInt8(ascii: "+") { position += 1 }
      var (value, digits, exponent) = (0.0, 0, 0)
      // Those after the zeros in front.
      var significantDigits = 0
      while let digit = Self.digit(next) {
        value = value * 10 + digit
        (digits, position) = (digits + 1, position + 1)
        if value > 0 { significantDigits += 1 }
      }
      if next == UInt8(ascii: ".") {
        position += 1
        while let digit = Self.digit(next) {
          // Later digits do not change the value.
          if significantDigits < 18 { (value, exponent) = (value * 10 + digit, exponent - 1) }
          (digits, position) = (digits + 1, position + 1)
          if value > 0 { significantDigits += 1 }
        }
      }
      guard digits > 0 else {
        position = start
        return nil
      }
      exponent += readExponent()
      // Rather too large than too small.
      if exponent != 0, value > 0 { value *= pow(10, Double(max(exponent, -300))) }
      return isNegative ? -value : value
    }

    /// Reads `e` and an integer, but not the units `em` and `ex`.
    private mutating func readExponent() -> Int {
      guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return 0 }
      let start = position
      position += 1
      let isNegative = next == UInt8(ascii: "-")
      if isNegative || next == UInt8(ascii: "+") { position += 1 }
      guard Self.digit(next) != nil else {
        position = start
        return 0
      }
      var exponent = 0
      while let digit = Self.digit(next) {
        exponent = min(exponent * 10 + Int(digit), 1000)
        position += 1
      }
      return isNegative ? -exponent : exponent
    }

    /// Returns the next flag of an arc, which needs no separator behind it.
    mutating func flag() -> Bool? {
      skipSeparators()
      guard let byte = next, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
      position += 1
      return byte == UInt8(ascii: "1")
    }

    /// Returns the next ASCII letter, or `nil` if something else follows.
    mutating func letter() -> UInt8? {
      skipSeparators()
      guard let byte = next, Self.isLetter(byte) else { return nil }
      position += 1
      return byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Returns the next word of ASCII letters, in lower case, or `nil` if something else follows.
    mutating func word() -> String? {
      skipSeparators()
      let start = position
      while let byte = next, Self.isLetter(byte) { position += 1 }
      return position > start ? String(decoding: bytes[start..<position], as: UTF8.self).lowercased() : nil
    }

    /// Reads `character` if it follows.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      skipSeparators()
      guard next == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// Returns the next length, or `nil` if something else follows. A number without a unit is a length in pixels.
    mutating func length() -> SVGLength? {
      guard let number = number() else { return nil }
      let value = abs(number)
      if next == UInt8(ascii: "%") {
        position += 1
        return SVGLength(percent: value)
      }
      let start = position
      while let byte = next, Self.isLetter(byte) { position += 1 }
      switch String(decoding: bytes[start..<position], as: UTF8.self).lowercased() {
      case "in": return SVGLength(pixels: value * 96)
      case "cm": return SVGLength(pixels: value * 96 / 2.54)
      case "mm": return SVGLength(pixels: value * 96 / 25.4)
      case "pt": return SVGLength(pixels: value * 96 / 72)
      case "pc": return SVGLength(pixels: value * 16)
      case "em", "ex", "ch", "rem": return SVGLength(ems: value)
      default: return SVGLength(pixels: value)
      }
    }

    /// Skips everything up to the next length, and returns it; `nil` at the end.
    mutating func nextLength() -> SVGLength? {
      while position < bytes.endIndex {
        if let length = length() { return length }
        position += 1
      }
      return nil
    }
  }

  /// The largest factor by which a list of transforms enlarges, and how far it moves.
  struct SVGTransform {
    private(set) var scale = 1.0
    private(set) var offset = 0.0

    init(_ text: ArraySlice<UInt8>) {
      var numbers = SVGNumbers(text)
      while let name = numbers.word(), numbers.skip("(") {
        var values: [Double] = []
        while values.count < 6, let value = numbers.length() {
          // Only rotations and translations have units.
          values.append(value.pixels)
        }
        // Signs do not matter for magnitudes.
        switch (name, values.count) {
        case ("matrix", 6):
          offset += (values[4] + values[5]) * scale
          scale *= values[0..<4].reduce(0) { $0 + $1 * $1 }.squareRoot()
        case ("scale", 1), ("scale", 2), ("scalex", 1), ("scaley", 1): scale *= values.max() ?? 1
        case ("translate", 1...), ("translatex", 1), ("translatey", 1): offset += values.reduce(0, +) * scale
        case ("rotate", 3): offset += (values[1] + values[2]) * 2 * scale
        case ("skewx", 1), ("skewy", 1), ("skew", 1...):
          scale *= values.reduce(1) { $0 + abs(tan($1 * .pi / 180)) }
        default: break
        }
        while numbers.length() != nil || numbers.word() != nil {}
        guard numbers.skip(")") else { break }
      }
    }
  }
#endif
