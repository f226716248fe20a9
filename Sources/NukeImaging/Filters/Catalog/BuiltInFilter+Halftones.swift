import Foundation

extension BuiltInFilter {
  private static let screen: [ImageFilterParameter] = [
    center, .number("inputWidth", 6, in: 1...1e6), .number("inputSharpness", 0.7, in: 0...1),
  ]
  private static let turnedScreen = screen + [.number("inputAngle", 0)]

  /// Halftone filters, with our own formulas. A screen is a threshold for each position. Thresholds are evenly
  /// distributed, so that a gray keeps its brightness. The BT.709 luminance Y becomes (Y · (1 + w) − threshold) / w,
  /// clamped to 0...1, where w is 1 − sharpness, at least 1/256. u and v are distances from the center in widths, u
  /// along the angle in radians from the x axis. zigzag is |2 · t − 1|, where t is the fractional part.
  static let halftones: [BuiltInFilter] = [
    halftone("CILineScreen", "zigzag(v), which gives lines along the angle", turnedScreen) { $0.zigzag.y },
    halftone("CIDotScreen", dots, turnedScreen) { dot($0) },
    halftone(
      "CIHatchedScreen",
      "the square of the larger of zigzag(u) and zigzag(v), which gives crossing lines", turnedScreen
    ) {
      let lines = $0.zigzag
      return max(lines.x, lines.y) * max(lines.x, lines.y)
    },
    halftone("CICircularScreen", "zigzag of the distance from the center in widths, which gives rings", screen) {
      ImagePoint($0.length, 0).zigzag.x
    },
    BuiltInFilter(
      "CICMYKHalftone",
      """
      Halftone dots of four inks, like CIDotScreen with the ink instead of the luminance. The inks are 1 − red, 1 − \
      green and 1 − blue, each minus UCR · black; black is GCR times the smallest of the three. Their screens are \
      rotated by 15°, 75°, 0° and 45° in addition to the angle. Each color is the product of what its ink and black \
      transmit. Our own formula.
      """,
      turnedScreen + [.number("inputGCR", 1, in: 0...1), .number("inputUCR", 0.5, in: 0...1)]
    ) { values, image in
      let (replaced, removed) = (values.number("inputGCR"), values.number("inputUCR"))
      let screens = [15.0, 75, 0, 45].map { Screen(values, turnedBy: $0 * Double.pi / 180) }
      return image.recolored { color, place in
        var inks = 1 - color
        let black = inks.min() * replaced
        inks = (inks - black * removed).clamped(lowerBound: .zero, upperBound: .one)
        func ink(_ value: Double, _ index: Int) -> Double {
          screens[index].value(value, dot(screens[index].turned(place)))
        }
        let passed = 1 - SIMD3(ink(inks.x, 0), ink(inks.y, 1), ink(inks.z, 2))
        return passed * (1 - ink(black, 3))
      }
    },
  ]

  private static let dots =
    "2m² if m < 1/2, otherwise 1 − 2(1 − m)², where m is the mean of zigzag(u) and zigzag(v), which gives dots"

  /// Returns the threshold of a dot screen.
  private static func dot(_ place: ImagePoint) -> Double {
    let mean = place.zigzag.sum() / 2
    return mean < 0.5 ? 2 * mean * mean : 1 - 2 * (1 - mean) * (1 - mean)
  }

  private static func halftone(
    _ name: String, _ formula: String, _ parameters: [ImageFilterParameter],
    _ threshold: @escaping @Sendable (ImagePoint) -> Double
  ) -> BuiltInFilter {
    BuiltInFilter(
      name,
      """
      A halftone in gray: (Y · (1 + w) − threshold) / w, where Y is the BT.709 luminance and w is 1 − sharpness. The \
      threshold is \(formula). Our own formula.
      """, parameters
    ) { values, image in
      let screen = Screen(values, turnedBy: 0)
      return image.recolored { color, place in
        SIMD3(repeating: screen.value(color.luminance, threshold(screen.turned(place))))
      }
    }
  }
}

/// The position, orientation and sharpness of a screen.
private struct Screen {
  private let center: ImagePoint
  private let turn: ImagePoint
  private let softness: Double

  init(_ values: ImageFilterValues, turnedBy more: Double) {
    let angle = more + (values.has("inputAngle") ? values.angle : 0)
    center = values.center
    turn = ImagePoint(cos(angle), -sin(angle)) / values.width
    softness = max(1 - values.number("inputSharpness"), 1.0 / 256)
  }

  /// Returns a position relative to the center, in widths, rotated by the angle.
  func turned(_ place: ImagePoint) -> ImagePoint { (place - center).turned(turn) }

  func value(_ tone: Double, _ threshold: Double) -> Double {
    let value = (tone * (1 + softness) - threshold) / softness
    return value > 0 ? min(value, 1) : 0
  }
}

extension ImagePoint {
  /// A triangle wave of each coordinate: from 1 down to 0 and up again within each step of 1.
  fileprivate var zigzag: ImagePoint {
    let part = (self - rounded(.down)) * 2 - 1
    return part.replacing(with: -part, where: part .< 0)
  }
}
