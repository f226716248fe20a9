import Foundation

extension ColorFilter {
  private static let coefficients = [
    "inputRedCoefficients", "inputGreenCoefficients", "inputBlueCoefficients", "inputAlphaCoefficients",
  ]

  /// Filters that compute weighted sums of red, green and blue.
  static let adjustments: [ColorFilter] = [
    ColorFilter(
      "CIColorControls",
      """
      Adjusts saturation, contrast and brightness. Mixes with the BT.709 luminance for the saturation, then (c − 0.5) \
      · contrast + 0.5, then + brightness. Core Image's documented formulas; their order is our own.
      """,
      [
        .number("inputSaturation", 1), .number("inputBrightness", 0),
        .number("inputContrast", 1, in: 0...Double.infinity),
      ]
    ) { values, _, _ in
      [
        .matrix(.saturation(values.number("inputSaturation"))),
        .matrix(.contrast(values.number("inputContrast"), brightness: values.number("inputBrightness"))),
      ]
    },
    ColorFilter(
      "CIHueAdjust",
      """
      Rotates the hue: rotates colors about the gray axis of the color cube by an angle in radians (Rodrigues' \
      formula).
      """,
      [.number("inputAngle", 0)]
    ) { values, _, _ in
      let angle = values.angle
      guard angle != 0 else { return [] }
      let (cosine, sine) = (cos(angle), sin(angle))
      let (third, side) = ((1 - cosine) / 3, sine / 3.0.squareRoot())
      let (a, b, c) = (cosine + third, third - side, third + side)
      return [.matrix(PixelMatrix(colors: [[a, b, c], [c, a, b], [b, c, a]]))]
    },
    ColorFilter(
      "CIColorMatrix",
      """
      Multiplies colors by a matrix. Each channel is the dot product of the color with its vector, plus the bias; Core \
      Image's documented formula.
      """,
      [
        .vector("inputRVector", [1, 0, 0, 0]), .vector("inputGVector", [0, 1, 0, 0]),
        .vector("inputBVector", [0, 0, 1, 0]), .vector("inputAVector", [0, 0, 0, 1]),
        .vector("inputBiasVector", [0, 0, 0, 0]),
      ]
    ) { values, _, _ in
      let rows = ["inputRVector", "inputGVector", "inputBVector", "inputAVector"].map { values.vector($0) }
      return [.matrix(PixelMatrix(rows: zip(rows, values.vector("inputBiasVector")).map { $0 + [$1] }))]
    },
    ColorFilter(
      "CIColorClamp", "Clamps each channel to its limits; Core Image's documented formula.",
      [.vector("inputMinComponents", [0, 0, 0, 0]), .vector("inputMaxComponents", [1, 1, 1, 1])]
    ) { values, _, _ in
      let (low, high) = (values.vector("inputMinComponents"), values.vector("inputMaxComponents"))
      return low == [0, 0, 0, 0] && high == [1, 1, 1, 1] ? [] : [.clamp(low: low, high: high)]
    },
    ColorFilter(
      "CIColorPolynomial",
      "Applies the polynomial a + bx + cx² + dx³ to each channel x; Core Image's documented formula.",
      coefficients.map { .vector($0, [0, 1, 0, 0]) }
    ) { values, _, _ in [.polynomial(coefficients.flatMap { values.vector($0) })] },
    ColorFilter(
      "CIColorCrossPolynomial",
      """
      Computes red, green and blue each as the sum of r, g, b, r², g², b², rg, gb, br and 1 times ten weights; Core \
      Image's documented formula.
      """,
      coefficients[..<3].enumerated().map { index, key in .vector(key, (0..<10).map { $0 == index ? 1 : 0 }) }
    ) { values, _, _ in [.crossPolynomial(coefficients[..<3].flatMap { values.vector($0) })] },
    ColorFilter(
      "CIVibrance",
      """
      Increases the saturation of muted colors. The distance from the luminance is multiplied by 1 + amount · (1 − \
      (max − min)), so that vivid colors change less. Core Image does not publish its formula; this one is our own.
      """,
      [.number("inputAmount", 0, in: -1...1)]
    ) { values, _, _ in
      let amount = values.amount
      return amount == 0 ? [] : [.vibrance(amount)]
    },
    ColorFilter(
      "CITemperatureAndTint",
      """
      Adjusts the white balance. In linear light, white under the neutral becomes white under the target (Bradford \
      adaptation). A white is given by its temperature in kelvin, from 1667 to 25000, on the Planckian locus (Kim's \
      approximation), and its tint, in steps of 1/3000 in CIE 1960 uv towards magenta. Core Image does not publish its \
      formula.
      """,
      [.vector("inputNeutral", [6500, 0]), .vector("inputTargetNeutral", [6500, 0])]
    ) { values, _, _ in
      let (neutral, target) = (values.vector("inputNeutral"), values.vector("inputTargetNeutral"))
      guard neutral != target else { return [] }
      let matrix = WhitePoint.adaptation(
        from: WhitePoint(temperature: neutral[0], tint: neutral[1]),
        to: WhitePoint(temperature: target[0], tint: target[1]))
      return [.curves(.linearize), .matrix(matrix), .curves(.encode)]
    },
  ]
}

/// A white point as CIE XYZ with Y = 1.
private struct WhitePoint {
  let xyz: SIMD3<Double>

  init(temperature: Double, tint: Double) {
    let kelvin = min(max(temperature, 1667), 25000)
    let (u, v) = Self.locus(kelvin)
    let (before, after) = (Self.locus(kelvin * 0.99), Self.locus(kelvin * 1.01))
    // Perpendicular to the locus, away from green.
    let (du, dv) = (after.u - before.u, after.v - before.v)
    let length = (du * du + dv * dv).squareRoot()
    let step = min(max(tint, -150), 150) / 3000 / length
    let (s, t) = (u - dv * step, v + du * step)
    let divisor = 2 * s - 8 * t + 4
    let (x, y) = (3 * s / divisor, 2 * t / divisor)
    xyz = SIMD3(x / y, 1, (1 - x - y) / y)
  }

  /// Returns the color of a black body in CIE 1960 uv: cubic splines by Kim et al., US patent 7024034.
  private static func locus(_ kelvin: Double) -> (u: Double, v: Double) {
    let t = 1000 / kelvin
    let x =
      kelvin <= 4000
      ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
      : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
    let y =
      kelvin <= 2222
      ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
      : kelvin <= 4000
        ? ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
        : ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
    let divisor = -2 * x + 12 * y + 3
    return (4 * x / divisor, 6 * y / divisor)
  }

  /// Returns the matrix for linear sRGB.
  static func adaptation(from source: WhitePoint, to target: WhitePoint) -> PixelMatrix {
    // The Bradford cone response matrix, and the matrix from linear sRGB to XYZ (IEC 61966-2-1).
    let cones = ColorMatrix(
      columns: .init(0.8951, -0.7502, 0.0389), .init(0.2664, 1.7135, -0.0685), .init(-0.1614, 0.0367, 1.0296))
    let xyz = ColorMatrix(
      columns: .init(0.4124564, 0.2126729, 0.0193339), .init(0.3575761, 0.7151522, 0.1191920),
      .init(0.1804375, 0.0721750, 0.9503041))
    let toCones = cones * xyz
    guard let back = toCones.inverse else { return .identity }
    let gain = ColorMatrix(diagonal: (cones * target.xyz) / (cones * source.xyz))
    let columns = (back * gain * toCones).columns
    return PixelMatrix(colors: (0..<3).map { [columns.0[$0], columns.1[$0], columns.2[$0]] })
  }
}
