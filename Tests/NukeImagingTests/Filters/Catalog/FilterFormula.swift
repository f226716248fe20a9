import Foundation
import NukeImaging
import Testing

/// A filter with parameters, and what a pixel of its result should be, in double precision.
struct FilterFormula: Sendable, CustomTestStringConvertible {
  let name: String
  let parameters: @Sendable () -> [String: Any]
  /// Of 255; what is rounded on the way is allowed for.
  var tolerance = 0.6
  /// The share of pixels that may be another's by a hair.
  var undecided = 0.0
  /// The channels of the pixel at a place counted from the lower left, from 0 to 255.
  let expected: @Sendable (_ source: ReferenceSampling, _ x: Int, _ y: Int) -> [Double]

  var testDescription: String { "\(name) \(parameters())" }

  /// Runs the filter on noise, opaque and not.
  func check(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for isOpaque in [true, false] {
      let source = try SampleImages.noise(31, 19, isOpaque: isOpaque, random: &random)
      let result = try Catalog.apply(name, parameters(), to: source)
      let reference = ReferenceSampling(source, ends: false)
      let wanted = (0..<19).flatMap { row in (0..<31).flatMap { expected(reference, $0, 18 - row) } }
      #expect(Deviations(result, wanted, leavingOut: undecided).worst <= tolerance)
      let isWhole = stride(from: 3, to: result.bytes.count, by: 4).allSatisfy { result.bytes[$0] == 255 }
      #expect(result.isOpaque == (isOpaque && isWhole))
    }
  }

  /// Premultiplied channels as an image can hold them.
  static func clamped(_ pixel: [Double]) -> [Double] {
    let alpha = min(max(pixel[3], 0), 255)
    return pixel[..<3].map { min(max($0, 0), alpha) } + [alpha]
  }

  /// A filter that makes straight colors from 0 to 1 of such, and where they are.
  static func recoloring(
    _ name: String, _ parameters: @autoclosure @escaping @Sendable () -> [String: Any] = [:], tolerance: Double = 0.6,
    undecided: Double = 0,
    _ color: @escaping @Sendable (_ color: [Double], _ x: Double, _ y: Double) -> [Double]
  ) -> FilterFormula {
    FilterFormula(name: name, parameters: parameters, tolerance: tolerance, undecided: undecided) { source, x, y in
      let alpha = source.pixel(x, y, 3)
      let straight = (0..<3).map { alpha > 0 ? source.pixel(x, y, $0) / alpha : 0 }
      let made = color(straight, Double(x) + 0.5, Double(y) + 0.5)
      return clamped(made.map { $0 * alpha } + [alpha])
    }
  }
}
