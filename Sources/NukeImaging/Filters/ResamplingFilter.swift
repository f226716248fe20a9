#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How source pixels are weighed when a picture changes its size.
package enum ResamplingFilter: Hashable, Sendable {
  /// The sinc windowed by a sinc of three lobes, widened by the reduction: sharp, with faint rings at hard edges.
  case lanczos3
  /// Each source pixel counts by how much of it the output pixel covers: soft, without rings. Enlarging repeats pixels.
  case area
}

/// Lanczos-3 from a table, since a plan asks for thousands of values: linear between 1024 entries a unit, which is
/// within 0.000002 of the formula, a thirtieth of what the weights can express.
enum Lanczos3 {
  static let support = 3.0
  static let entriesPerUnit = 1024.0

  /// sinc(πx) · sinc(πx / 3) at x = 0, 1/1024, … 3, and two entries more, which are zero.
  static let table: [Double] = (0..<(3 * 1024 + 2)).map { index in
    guard index > 0 else { return 1 }
    guard index < 3 * 1024 else { return 0 }
    let angle = Double.pi * Double(index) / entriesPerUnit
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}
