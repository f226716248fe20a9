import Foundation

/// A text that is drawn as a watermark, in Pango's markup, of which the common elements and attributes are supported.
struct WatermarkText: Sendable, Hashable {
  /// A part of a line with one look.
  struct Run: Sendable, Hashable {
    var text: String
    /// The attributes of SVG, by name.
    var attributes: [String: String] = [:]
    /// The size of the font, in pixels.
    var size = defaultSize
  }

  let lines: [[Run]]

  /// The size of the font, in pixels: 16 points, at 72 pixels per inch.
  static let defaultSize = 16.0
  /// The maximum number of code points.
  static let longest = 256
  /// The maximum size of the drawing, in pixels.
  private static let widest = 4096.0
  private static let highest = 2048.0

  /// - Throws: ``ServingError/invalidOption(_:_:)`` for invalid markup, and for a text that is too long or too large.
  init(_ markup: String) throws(ServingError) {
    var parser = WatermarkMarkup(markup)
    lines = try parser.lines()
    let count = lines.joined().reduce(0) { $0 + $1.text.unicodeScalars.count }
    guard count <= Self.longest else {
      throw WatermarkMarkup.error("it has \(count) characters, more than \(Self.longest)")
    }
    guard lines.joined().contains(where: { $0.text.contains { !$0.isWhitespace } }) else {
      throw WatermarkMarkup.error("it has no visible characters")
    }
    let size = self.size
    guard size.width <= Self.widest, size.height <= Self.highest else {
      throw WatermarkMarkup.error("it is larger than \(Int(Self.widest)) x \(Int(Self.highest)) pixels")
    }
  }

  /// An upper bound of the size of the drawing, in pixels. No character is wider than 1.5 of the font's size.
  private var size: (width: Double, height: Double) {
    let width = lines.map { $0.reduce(0) { $0 + Double($1.text.unicodeScalars.count) * $1.size * 1.5 } }.max() ?? 0
    let height = lines.reduce(0) { $0 + Self.height(of: $1) }
    return (width.rounded(.up) + 2 * Self.defaultSize, (height * 1.5).rounded(.up) + 2 * Self.defaultSize)
  }

  private static func height(of line: [Run]) -> Double { (line.map(\.size).max() ?? defaultSize) * 1.25 }

  /// Returns a drawing of the text in SVG, black unless the markup says otherwise.
  ///
  /// - Parameter isScaled: `true` if the drawing is scaled afterwards. It is larger then, as far as its limits allow.
  func drawing(isScaled: Bool) -> Data {
    let (width, height) = size
    let factor = isScaled ? max(min(Self.widest / width, Self.highest / height, 8), 1) : 1
    var text = ""
    var y = Self.defaultSize
    for line in lines {
      y += Self.height(of: line)
      text += "<text x=\"\(Self.defaultSize)\" y=\"\(y)\" xml:space=\"preserve\">"
      for run in line {
        let attributes = run.attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }
        text += "<tspan font-size=\"\(run.size)\"\(attributes.joined())>\(Self.escaped(run.text))</tspan>"
      }
      text += "</text>"
    }
    let sides = "width=\"\((width * factor).rounded())\" height=\"\((height * factor).rounded())\""
    return Data(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" \(sides) viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\">"
        + text + "</svg>").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
