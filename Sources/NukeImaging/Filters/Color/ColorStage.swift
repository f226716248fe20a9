import CNukeKernels

/// An operation on each pixel. Colors are straight (not premultiplied) sRGB from 0 to 1, and may exceed that range
/// between stages.
package enum ColorStage: Sendable {
  case matrix(PixelMatrix)
  /// Applies a curve to each of red, green and blue. Values outside 0...1 are clamped before.
  case curves(ColorCurves)
  /// Clamps red, green, blue and alpha to limits.
  case clamp(low: [Double], high: [Double])
  /// Gray with the smallest or largest of red, green and blue.
  case component(largest: Bool)
  /// Reduces each channel to a number of levels from 0 to 1.
  case posterize(levels: Int)
  /// Sets channels to 1 from the threshold on, otherwise to 0.
  case threshold(Double)
  /// Applies a + bx + cx² + dx³ to red, green, blue and alpha, with four coefficients each.
  case polynomial([Double])
  /// Computes red, green and blue from r, g, b, r², g², b², rg, gb, br and 1, with ten weights each.
  case crossPolynomial([Double])
  /// Increases the saturation of muted colors.
  case vibrance(Double)
  case vignette(Vignette)
  case map(ColorTable)
  case cube(ColorTable, side: Int)

  /// Darkens an image with increasing distance from a point, which is in pixels from the upper left.
  package struct Vignette: Hashable, Sendable {
    package var x: Double
    package var y: Double
    /// The radius up to which the brightness is 1.
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

  /// `true` if an opaque image stays opaque.
  var keepsOpaque: Bool {
    switch self {
    case .matrix(let matrix): matrix.keepsAlpha
    case .clamp(_, let high): high[3] >= 1
    case .polynomial(let coefficients): coefficients[12...].reduce(0, +) >= 1
    case .map(let table), .cube(let table, _): table.isOpaque
    case .curves, .component, .posterize, .threshold, .crossPolynomial, .vibrance, .vignette: true
    }
  }

  /// `true` if each of red, green and blue depends only on itself, and alpha is unchanged.
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

/// Three tables of functions from 0 to 1.
package final class ColorCurves: Sendable {
  let tables: [Float]

  /// Creates the tables for red, green and blue. NaN counts as 0, and infinity as a very large number.
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

/// A lookup table of colors with four floats each, of which the last one is alpha.
package final class ColorTable: Sendable {
  let values: [Float]
  let isOpaque: Bool

  package init(_ values: [Float]) {
    self.values = values
    isOpaque = stride(from: 3, to: values.count, by: 4).allSatisfy { values[$0] >= 1 }
  }
}
