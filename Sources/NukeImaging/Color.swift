public import Foundation

/// A color in sRGB with straight (not premultiplied) components from 0 to 1. On Linux it is `PlatformColor`.
public struct Color: Sendable, Hashable, Codable {
  /// The red component, from 0 to 1.
  public let red: CGFloat
  /// The green component, from 0 to 1.
  public let green: CGFloat
  /// The blue component, from 0 to 1.
  public let blue: CGFloat
  /// The alpha component, from 0 (transparent) to 1 (opaque).
  public let alpha: CGFloat

  /// Creates a color. Components are clamped to 0...1; NaN counts as 0.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat = 1) {
    func unit(_ value: CGFloat) -> CGFloat { value.isNaN ? 0 : min(max(value, 0), 1) }
    self.red = unit(red)
    self.green = unit(green)
    self.blue = unit(blue)
    self.alpha = unit(alpha)
  }

  /// Creates a gray, from 0 (black) to 1 (white).
  public init(white: CGFloat, alpha: CGFloat = 1) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  public static let black = Color(white: 0)
  public static let white = Color(white: 1)
  public static let darkGray = Color(white: 1.0 / 3)
  public static let gray = Color(white: 0.5)
  public static let lightGray = Color(white: 2.0 / 3)
  public static let red = Color(red: 1, green: 0, blue: 0)
  public static let green = Color(red: 0, green: 1, blue: 0)
  public static let blue = Color(red: 0, green: 0, blue: 1)
  public static let cyan = Color(red: 0, green: 1, blue: 1)
  public static let magenta = Color(red: 1, green: 0, blue: 1)
  public static let yellow = Color(red: 1, green: 1, blue: 0)
  public static let orange = Color(red: 1, green: 0.5, blue: 0)
  public static let purple = Color(red: 0.5, green: 0, blue: 0.5)
  public static let brown = Color(red: 0.6, green: 0.4, blue: 0.2)
  public static let clear = Color(white: 0, alpha: 0)

  /// Returns the color with another alpha.
  public func withAlphaComponent(_ alpha: CGFloat) -> Color {
    Color(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// `#RRGGBB`, or `#RRGGBBAA` if the color is not opaque, with each channel rounded to 8 bits.
  public var hex: String {
    let (red, green, blue, alpha) = straightRGBA8
    let bytes = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  /// The pixel for a ``Bitmap``: premultiplied, with 8 bits per channel.
  package var premultipliedRGBA8: (UInt8, UInt8, UInt8, UInt8) {
    func byte(_ value: CGFloat) -> UInt8 { UInt8((value * 255).rounded()) }
    return (byte(red * alpha), byte(green * alpha), byte(blue * alpha), byte(alpha))
  }

  /// The straight components rounded to 8 bits, as in ``hex``.
  package var straightRGBA8: (UInt8, UInt8, UInt8, UInt8) {
    func byte(_ value: CGFloat) -> UInt8 { UInt8((value * 255).rounded()) }
    return (byte(red), byte(green), byte(blue), byte(alpha))
  }

  /// The premultiplied pixel for the rounded components of ``hex``. Colors with equal ``hex`` have equal pixels.
  package var premultipliedBytes: [UInt8] {
    let (red, green, blue, alpha) = straightRGBA8
    let pixel = [red, green, blue, alpha]
    var result = pixel
    PixelKernels.best.premultiply(pixel, to: &result, count: 1)
    return result
  }
}

extension Color: CustomStringConvertible {
  /// The color as ``hex``.
  public var description: String { hex }
}
