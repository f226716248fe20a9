/// A positive factor for lengths, as a numerator and a denominator.
///
/// Both are whole numbers, so half a pixel is found exactly: 100 pixels times 115/200 are 57.5. As a `Double`, the factor
/// would be rounded first, and the product could be less than the half. A `Double` represents whole numbers exactly up to
/// 2^53. Beyond that, the factor is approximate, but calculations do not overflow.
struct Fraction: Sendable, Hashable {
  private let numerator: Double
  private let denominator: Double

  static let one = Fraction(reducing: 1, 1)

  init(_ numerator: Int, _ denominator: Int) { self.init(reducing: Double(numerator), Double(denominator)) }

  /// Creates the fraction of a number with at most six decimal places, as URLs contain them. Of other numbers, the
  /// numerator is not whole.
  init(_ value: Double) {
    let millionths = (value * 1e6).rounded()
    // The nearest `Double` of 0.7 is that of 700,000 millionths.
    if millionths / 1e6 == value { self.init(reducing: millionths, 1e6) } else { self.init(reducing: value, 1) }
  }

  private init(reducing numerator: Double, _ denominator: Double) {
    let divisor = Self.greatestCommonDivisor(numerator, denominator)
    (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
  }

  var value: Double { numerator / denominator }

  /// Returns the product with a length, rounded to a whole number; halves are rounded up.
  func rounded(times length: Int) -> Double { (Double(length) * numerator / denominator).rounded() }

  static func * (left: Self, right: Self) -> Self {
    Self(reducing: left.numerator * right.numerator, left.denominator * right.denominator)
  }

  static func / (left: Self, right: Self) -> Self {
    Self(reducing: left.numerator * right.denominator, left.denominator * right.numerator)
  }

  static func *= (left: inout Self, right: Self) { left = left * right }
  static func /= (left: inout Self, right: Self) { left = left / right }

  /// Returns the greatest common divisor of two numbers; 1 if one of them is not whole, or too large to be exact.
  private static func greatestCommonDivisor(_ first: Double, _ second: Double) -> Double {
    guard 1...0x1p53 ~= first, 1...0x1p53 ~= second, first == first.rounded(), second == second.rounded() else {
      return 1
    }
    var (large, small) = (first, second)
    while small > 0 { (large, small) = (small, large.truncatingRemainder(dividingBy: small)) }
    return large
  }
}

extension Fraction: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }
}
