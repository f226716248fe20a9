import Foundation

extension ColorFilter {
  /// Filters that apply a function to each channel.
  static let curves: [ColorFilter] = [
    ColorFilter(
      "CIExposureAdjust",
      """
      Adjusts the exposure: multiplies linear light by 2 to the power of EV; Core Image's documented formula, in stops \
      of a camera.
      """,
      [.number("inputEV", 0)]
    ) { values, _, _ in
      let factor = pow(2, values.number("inputEV"))
      return factor == 1 ? [] : [.curves(ColorCurves { LinearLight.encode(LinearLight.decode($0) * factor) })]
    },
    ColorFilter(
      "CIGammaAdjust",
      "Raises each channel to the given power; Core Image's documented formula.", [.number("inputPower", 1)]
    ) { values, _, _ in
      let power = values.number("inputPower")
      return power == 1 ? [] : [.curves(ColorCurves { pow($0, power) })]
    },
    ColorFilter(
      "CIWhitePointAdjust", "Multiplies linear light by the given color, so that white becomes this color.",
      [.color("inputColor", .white)]
    ) { values, _, _ in
      let color = values.color("inputColor")
      guard color.withAlphaComponent(1) != .white else { return [] }
      func scaled(_ component: CGFloat) -> (Double) -> Double {
        let factor = LinearLight.decode(Double(component))
        return { LinearLight.encode(LinearLight.decode($0) * factor) }
      }
      return [.curves(ColorCurves(red: scaled(color.red), green: scaled(color.green), blue: scaled(color.blue)))]
    },
    ColorFilter(
      "CIToneCurve",
      """
      Applies a tone curve to each channel: the natural cubic spline through five points, constant outside the first \
      and the last.
      """,
      [
        .vector("inputPoint0", [0, 0]), .vector("inputPoint1", [0.25, 0.25]), .vector("inputPoint2", [0.5, 0.5]),
        .vector("inputPoint3", [0.75, 0.75]), .vector("inputPoint4", [1, 1]),
      ]
    ) { values, _, _ in
      let points = (0..<5).map { values.vector("inputPoint\($0)") }
      if points.allSatisfy({ $0[0] == $0[1] }), points[0][0] <= 0, points[4][0] >= 1 { return [] }
      for index in 1..<5 where points[index][0] <= points[index - 1][0] {
        throw ImageFilterError.invalidParameter(
          key: "inputPoint\(index)", filter: "CIToneCurve", expected: "to the right of the previous point")
      }
      let spline = CubicSpline(points.map { (x: $0[0], y: $0[1]) })
      return [.curves(ColorCurves { spline.value($0) })]
    },
    ColorFilter(
      "CILinearToSRGBToneCurve",
      "Converts from linear light to sRGB: applies the encoding curve of IEC 61966-2-1 to each channel.",
      [.curves(.encode)]),
    ColorFilter(
      "CISRGBToneCurveToLinear",
      "Converts from sRGB to linear light: applies the decoding curve of IEC 61966-2-1 to each channel.",
      [.curves(.linearize)]),
    ColorFilter(
      "CIColorPosterize",
      "Reduces each channel to a number of levels: ⌊c · levels + 1/4096⌋ / (levels − 1), at most 1.",
      [.number("inputLevels", 6, in: 1...65536)]
    ) { values, _, _ in [.posterize(levels: Int(values.number("inputLevels")))] },
    ColorFilter(
      "CIColorThreshold",
      "Sets each channel to 1 if it is at least the threshold, otherwise to 0.", [.number("inputThreshold", 0.5)]
    ) { values, _, _ in [.threshold(values.number("inputThreshold"))] },
    ColorFilter(
      "CIColorInvert", "Inverts each channel: 1 − c; Core Image's documented formula.",
      [.matrix(PixelMatrix(colors: [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], adding: [1, 1, 1]))]),
  ]
}

/// The transfer function of sRGB, IEC 61966-2-1.
enum LinearLight {
  static func decode(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encode(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}

extension ColorCurves {
  static let linearize = ColorCurves(LinearLight.decode)
  static let encode = ColorCurves(LinearLight.encode)
}

/// A natural cubic spline through points with increasing x; constant outside the ends.
struct CubicSpline {
  private let points: [(x: Double, y: Double)]
  /// The second derivatives, which are zero at the ends.
  private let bends: [Double]

  /// - Parameter points: at least two points.
  init(_ points: [(x: Double, y: Double)]) {
    self.points = points
    var bends = [Double](repeating: 0, count: points.count)
    var factors = bends
    for i in 1..<points.count - 1 {
      let (a, b, c) = (points[i - 1], points[i], points[i + 1])
      let share = (b.x - a.x) / (c.x - a.x)
      let divisor = share * bends[i - 1] + 2
      bends[i] = (share - 1) / divisor
      let turn = (c.y - b.y) / (c.x - b.x) - (b.y - a.y) / (b.x - a.x)
      factors[i] = (6 * turn / (c.x - a.x) - share * factors[i - 1]) / divisor
    }
    bends[points.count - 1] = 0
    for i in (0..<points.count - 1).reversed() { bends[i] = bends[i] * bends[i + 1] + factors[i] }
    bends[0] = 0
    self.bends = bends
  }

  func value(_ x: Double) -> Double {
    guard x > points[0].x else { return points[0].y }
    guard let i = points.firstIndex(where: { $0.x >= x }) else { return points[points.count - 1].y }
    let (a, b) = (points[i - 1], points[i])
    let width = b.x - a.x
    let (s, t) = ((b.x - x) / width, (x - a.x) / width)
    let bend = (s * s * s - s) * bends[i - 1] + (t * t * t - t) * bends[i]
    return s * a.y + t * b.y + bend * width * width / 6
  }
}
