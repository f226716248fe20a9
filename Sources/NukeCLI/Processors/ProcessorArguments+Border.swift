import Foundation
import Nuke

extension ProcessorArguments {
  /// The line that `border=` and `color=` describe; `nil` if neither is given. It is black unless a color is named.
  mutating func border() throws(Failure) -> ImageProcessingOptions.Border? {
    let width = try number("border", in: 0...10_000)
    let color = try color("color")
    guard let width else {
      if color != nil { throw Failure("color needs border") }
      return nil
    }
    return ImageProcessingOptions.Border(color: color ?? .black, width: width, unit: .pixels)
  }

  /// The color of `name=`: a name, or RRGGBB or RRGGBBAA in hexadecimal digits, perhaps with a # before them.
  ///
  /// - Parameter word: whether the first word that is left may stand for it.
  mutating func color(_ name: String, word isWord: Bool = false) throws(Failure) -> Color? {
    guard let text = value(name) ?? (isWord ? word() : nil) else { return nil }
    if let named = Self.colors.first(where: { $0.name == text.lowercased() }) { return named.color }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard [6, 8].contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = UInt32(digits.count == 6 ? digits + "FF" : digits, radix: 16)
    else {
      let names = Self.colors.map(\.name).joined(separator: ", ")
      throw Failure("\"\(text)\" is no color: RRGGBB, RRGGBBAA, or one of \(names)")
    }
    func component(_ shift: UInt32) -> CGFloat { CGFloat(number >> shift & 255) / 255 }
    return Color(red: component(24), green: component(16), blue: component(8), alpha: component(0))
  }

  private static let colors: [(name: String, color: Color)] = [
    ("black", .black), ("white", .white), ("gray", .gray), ("red", .red), ("green", .green), ("blue", .blue),
    ("clear", .clear),
  ]
}
