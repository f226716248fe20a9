import CNukeKernels

/// One step of what is done to each pixel by itself. Colors are straight (not premultiplied) sRGB from 0 to 1; between
/// steps they may lie outside.
package enum ColorStage: Sendable {
  case matrix(PixelMatrix)
  /// Applies a curve to each of red, green and blue. Values outside 0...1 are clamped before.
  case curves(ColorCurves)
  /// Limits for red, green, blue and alpha.
  case clamp(low: [Double], high: [Double])
  /// The gray of the smallest or largest of red, green and blue.
  case component(largest: Bool)
  /// So many even steps from 0 to 1.
  case posterize(levels: Int)
  /// 1 from the threshold on, else 0.
  case threshold(Double)
  /// a + bx + cx² + dx³ of red, green, blue and alpha: four coefficients each.
  case polynomial([Double])
  /// Red, green, blue each by the weights of r, g, b, r², g², b², rg, gb, br and 1.
  case crossPolynomial([Double])
  /// Saturation, the more the less there is.
  case vibrance(Double)
  case vignette(Vignette)
  case map(ColorTable)
  case cube(ColorTable, side: Int)

  /// Dims an image with the distance from a point, in pixels from the upper left.
  package struct Vignette: Hashable, Sendable {
    package var x: Double
    package var y: Double
    /// The brightness is 1 up to here.
    package var inner: Double
    /// The radius from which the brightness is 1 − intensity.
    package var outer: Double
    package var intensity: Double
    /// `true` for a transition by the square of the distance, `false` for a smooth step.
    package var isSquared: Bool

    package init(x: Double, y: Double, inner: Double, outer: Double, intensity: Double, isSquared: Bool) {
      self.x = x
      self.y = y
      self.inner = inner
      self.outer = outer
      self.intensity = intensity
      self.isSquared = isSquared
    }
  }

  /// `true` if an image that was opaque is opaque afterwards.
  var keepsOpaque: Bool {
    switch self {
    case .matrix(let matrix): matrix.keepsAlpha
    case .clamp(_, let high): high[3] >= 1
    case .polynomial(let coefficients): coefficients[12...].reduce(0, +) >= 1
    case .map(let table), .cube(let table, _): table.isOpaque
    case .curves, .component, .posterize, .threshold, .crossPolynomial, .vibrance, .vignette: true
    }
  }

  /// `true` if each of red, green and blue depends on itself alone, and alpha stays what it is.
  var isByChannel: Bool {
    switch self {
    case .matrix(let matrix):
      matrix.keepsAlpha && (0..<3).allSatisfy { row in (0..<4).allSatisfy { $0 == row || matrix.rows[row][$0] == 0 } }
    case .clamp(let low, let high): low[3] <= 0 && high[3] >= 1
    case .polynomial: keepsOpaque
    case .curves, .posterize, .threshold: true
    case .component, .crossPolynomial, .vibrance, .vignette, .map, .cube: false
    }
  }

  var needsPosition: Bool { if case .vignette = self { true } else { false } }
}

/// Three tables of a function from 0 to 1.
package final class ColorCurves: Sendable {
  let tables: [Float]

  /// The tables of what becomes of red, green and blue. What is no number counts as 0, what is infinite as very large.
  package init(
    red: @escaping (Double) -> Double, green: @escaping (Double) -> Double, blue: @escaping (Double) -> Double
  ) {
    let count = Int(nuke_curve_entries)
    var tables: [Float] = []
    tables.reserveCapacity(count * 3)
    for function in [red, green, blue] {
      for entry in 0..<count {
        let value = function(Double(entry) / Double(count - 1))
        tables.append(value.isNaN ? 0 : Float(min(max(value, -1e6), 1e6)))
      }
    }
    self.tables = tables
  }

  /// Creates a curve stage that applies the same curve to red, green and blue.
  package convenience init(_ function: @escaping (Double) -> Double) {
    self.init(red: function, green: function, blue: function)
  }
}

/// Colors of four floats each.
package final class ColorTable: Sendable {
  let values: [Float]
  let isOpaque: Bool

  package init(_ values: [Float]) {
    self.values = values
    isOpaque = stride(from: 3, to: values.count, by: 4).allSatisfy { values[$0] >= 1 }
  }
}
