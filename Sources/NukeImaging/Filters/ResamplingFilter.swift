#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The filter that weights source pixels in a resize.
package enum ResamplingFilter: Hashable, Sendable {
  /// The sinc windowed by a sinc of three lobes, widened by the reduction. Sharp, with slight ringing at hard edges.
  case lanczos3
  /// Weights source pixels by the area that the output pixel covers. Soft, without ringing. Enlarging repeats pixels.
  case area
  /// A triangle that ends at the next pixel, widened by the reduction. Enlarging is bilinear interpolation.
  case triangle
  /// The source pixel at the center of the output pixel, without interpolation.
  case nearest
  /// A Gaussian with this standard deviation in source pixels, regardless of the reduction. Edge pixels extend outside
  /// the image.
  case gaussian(sigma: Double)

  /// A Boolean value that indicates whether pixels are filtered even if the size does not change.
  var blurs: Bool { if case .gaussian = self { true } else { false } }
}

/// Lanczos-3 from a table, because an axis needs thousands of values. Interpolates linearly between 1024 entries per
/// unit. The error is less than 0.000002, a thirtieth of the resolution of the weights.
enum Lanczos3 {
  static let support = 3.0
  static let entriesPerUnit = 1024.0

  /// sinc(πx) · sinc(πx / 3) at x = 0, 1/1024, … 3, and two additional entries, which are zero.
  static let table: [Double] = (0..<(3 * 1024 + 2)).map { index in
    guard index > 0 else { return 1 }
    guard index < 3 * 1024 else { return 0 }
    let angle = Double.pi * Double(index) / entriesPerUnit
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

/// The Gaussian from a table. Interpolates linearly between 1024 entries per standard deviation, with an error of less
/// than 0.0000002.
enum Gaussian {
  /// The radius of the kernel in standard deviations. 0.05 % of the Gaussian is outside of it.
  static let support = 3.5
  private static let entriesPerUnit = 1024.0
  /// The reach above which ``sum(beyond:reach:sigma:)`` uses the integral in place of a sum, in pixels. Their
  /// difference is smaller than the error of the table.
  private static let longReach = 512.0

  private static let table: [Double] = (0...(Int(support * entriesPerUnit) + 1)).map { index in
    let x = Double(index) / entriesPerUnit
    return exp(-x * x / 2)
  }

  /// Returns exp(-x² / 2), or 0 outside the support.
  static func value(_ x: Double) -> Double {
    let position = abs(x) * entriesPerUnit
    guard position < support * entriesPerUnit else { return 0 }
    let entry = Int(position)
    return table[entry] + (table[entry + 1] - table[entry]) * (position - Double(entry))
  }

  /// Returns the sum of the values at distance + 1/2, distance + 3/2 and so on, up to `reach`, all in pixels.
  static func sum(beyond distance: Double, reach: Double, sigma: Double) -> Double {
    guard distance < reach else { return 0 }
    let distance = max(distance, distance - (distance + reach).rounded(.down))
    if reach > longReach {
      return (erfc(distance / (sigma * 2.0.squareRoot())) - erfc(support / 2.0.squareRoot())) * sigma
        * (Double.pi / 2).squareRoot()
    }
    var sum = 0.0
    var x = distance + 0.5
    while x < reach {
      sum += value(x / sigma)
      x += 1
    }
    return sum
  }
}
