import Foundation

extension BuiltInFilter {
  static let adjustments: [BuiltInFilter] = [
    BuiltInFilter(
      "CIHighlightShadowAdjust",
      """
      Adjusts shadows and highlights. The formula is c^(2^(−shadow · (1 − Y)²)) · (1 − (1 − highlight) · Y² / 2). Y is \
      the BT.709 luminance, blurred by a Gaussian whose standard deviation is the radius. Core Image does not publish \
      its formula; this one is our own.
      """,
      [
        .number("inputRadius", 0, in: 0...Double.infinity), .number("inputShadowAmount", 0, in: -1...1),
        .number("inputHighlightAmount", 1, in: 0...1),
      ]
    ) { values, image in
      let (shadow, highlight) = (values.number("inputShadowAmount"), values.number("inputHighlightAmount"))
      if shadow == 0, highlight == 1 { return image }
      let radius = values.radius
      guard let blurred = image.gaussianBlurred(sigma: radius) else { return nil }
      let tones = radius > 0 ? Channels(blurred) : nil
      return image.recolored { color, column, row in
        let tone = tones?.straightLuminance(column, image.pixelHeight - 1 - row) ?? color.luminance
        let power = pow(2, -shadow * (1 - tone) * (1 - tone))
        let gain = 1 - (1 - highlight) * tone * tone / 2
        return SIMD3(pow(color.x, power), pow(color.y, power), pow(color.z, power)) * gain
      }
    },
    BuiltInFilter(
      "CISpotColor",
      """
      Replaces colors near the center colors with the replacement colors. The weight is (closeness − d) / (closeness · \
      (1 − contrast)), clamped to 0...1, where d is the distance in red, green and blue. Applied for each of the three \
      pairs of colors in turn. Our own formula.
      """,
      spots.flatMap { number, center, replacement, closeness, contrast -> [ImageFilterParameter] in
        [
          .color("inputCenterColor\(number)", center), .color("inputReplacementColor\(number)", replacement),
          .number("inputCloseness\(number)", closeness, in: 0...1e6),
          .number("inputContrast\(number)", contrast, in: 0...1),
        ]
      }
    ) { values, image in
      let steps = (1...3).map { number in
        let closeness = values.number("inputCloseness\(number)")
        return (
          center: values.color("inputCenterColor\(number)").straight,
          replacement: values.color("inputReplacementColor\(number)").straight, closeness: closeness,
          // A small positive width, so that a contrast of one gives a step.
          width: max(closeness * (1 - values.number("inputContrast\(number)")), 1e-9)
        )
      }
      return image.recolored { color, _, _ in
        steps.reduce(color) { color, step in
          let offset = color - step.center
          let amount = (step.closeness - (offset * offset).sum().squareRoot()) / step.width
          return color + (step.replacement - color) * min(max(amount, 0), 1)
        }
      }
    },
    BuiltInFilter(
      "CIDither",
      """
      Adds noise to each color. The formula is c + intensity · (n − 1/2), where n is noise from 0 to 1 from a hash of \
      the column and row (Wellons' lowbias32), so that it is always the same. Our own formula.
      """,
      [.number("inputIntensity", 0.1, in: 0...5)]
    ) { values, image in
      let intensity = values.intensity
      if intensity == 0 { return image }
      return image.recolored { color, column, row in
        color + intensity * (ImagePoint(hashOf: ImagePoint(Double(column), Double(row))).x - 0.5)
      }
    },
  ]

  /// Core Image's default values.
  private static let spots: [(Int, Color, Color, Double, Double)] = [
    (1, Color(red: 0.0784, green: 0.0627, blue: 0.0706), Color(red: 0.4392, green: 0.1922, blue: 0.1961), 0.22, 0.98),
    (2, Color(red: 0.5255, green: 0.3059, blue: 0.3451), Color(red: 0.9137, green: 0.5608, blue: 0.5059), 0.15, 0.98),
    (3, Color(red: 0.9216, green: 0.4549, blue: 0.3333), Color(red: 0.9098, green: 0.7529, blue: 0.6078), 0.5, 0.99),
  ]
}
