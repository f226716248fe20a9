/// A 3 x 3 matrix that converts linear RGB to CIE XYZ relative to D50, or back.
package struct ColorMatrix: Sendable {
  var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  init(columns red: SIMD3<Double>, _ green: SIMD3<Double>, _ blue: SIMD3<Double>) { columns = (red, green, blue) }

  init(diagonal: SIMD3<Double>) {
    self.init(columns: .init(diagonal.x, 0, 0), .init(0, diagonal.y, 0), .init(0, 0, diagonal.z))
  }

  /// sRGB's primaries adapted to D50, computed like ``Chromaticities/matrixToD50`` with the white point that other D65
  /// color spaces state too. Dark grays therefore get no tint in conversions between them.
  static let sRGB = ColorMatrix(
    columns: .init(0.436041252, 0.222484540, 0.013920187), .init(0.385112911, 0.716905079, 0.097067239),
    .init(0.143045838, 0.060610381, 0.713912574))

  static func * (matrix: ColorMatrix, vector: SIMD3<Double>) -> SIMD3<Double> {
    matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
  }

  static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
    ColorMatrix(columns: left * right.columns.0, left * right.columns.1, left * right.columns.2)
  }

  /// The inverse; `nil` if the matrix is singular.
  var inverse: ColorMatrix? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      .init(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let (a, b, c) = columns
    let rows = (cross(b, c), cross(c, a), cross(a, b))
    let determinant = (a * rows.0).sum()
    guard determinant.isFinite, abs(determinant) > 1e-6 else { return nil }
    return ColorMatrix(
      columns: .init(rows.0.x, rows.1.x, rows.2.x) / determinant, .init(rows.0.y, rows.1.y, rows.2.y) / determinant,
      .init(rows.0.z, rows.1.z, rows.2.z) / determinant)
  }

  /// The matrix from linear RGB of these primaries to linear sRGB.
  var toSRGB: ColorMatrix { ColorMatrix.sRGB.inverse.map { $0 * self } ?? self }

  /// `true` if the primaries are sRGB's, within the differences between profiles of various vendors.
  var isSRGB: Bool {
    let product = toSRGB.columns
    let distances = [
      product.0 - SIMD3(1, 0, 0), product.1 - SIMD3(0, 1, 0), product.2 - SIMD3(0, 0, 1),
    ]
    return distances.allSatisfy { max(abs($0.x), abs($0.y), abs($0.z)) < 0.005 }
  }
}

/// The white point and the primaries of a color space, as CIE 1931 xy chromaticities.
package struct Chromaticities: Sendable {
  package var white: SIMD2<Double>
  package var red: SIMD2<Double>
  package var green: SIMD2<Double>
  package var blue: SIMD2<Double>

  package init(white: SIMD2<Double>, red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }

  package static let sRGB = Chromaticities(
    white: .init(0.3127, 0.3290), red: .init(0.64, 0.33), green: .init(0.30, 0.60), blue: .init(0.15, 0.06))

  /// The matrix from linear RGB to XYZ, adapted from this white point to D50 by the Bradford method; `nil` if the
  /// points are degenerate.
  var matrixToD50: ColorMatrix? {
    func xyz(_ point: SIMD2<Double>) -> SIMD3<Double>? {
      guard point.x.isFinite, point.y > 0.001, point.y <= 1, point.x >= 0, point.x <= 1 else { return nil }
      return .init(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
    }
    guard let white = xyz(white), let red = xyz(red), let green = xyz(green), let blue = xyz(blue) else { return nil }
    let primaries = ColorMatrix(columns: red, green, blue)
    guard let amounts = primaries.inverse.map({ $0 * white }), amounts.min() > 0 else { return nil }
    let cone = ColorMatrix(
      columns: .init(0.8951, -0.7502, 0.0389), .init(0.2664, 1.7135, -0.0685), .init(-0.1614, 0.0367, 1.0296))
    let response = cone * white
    guard let back = cone.inverse, abs(response).min() > 0.001 else { return nil }
    let scale = (cone * SIMD3(0.9642, 1, 0.8249)) / response
    return back * ColorMatrix(diagonal: scale) * cone * primaries * ColorMatrix(diagonal: amounts)
  }
}

private func abs(_ vector: SIMD3<Double>) -> SIMD3<Double> { .init(abs(vector.x), abs(vector.y), abs(vector.z)) }

/// The conversion of pixels with the curves and the matrix of a profile.
///
/// A table holds the contribution of each channel's byte to linear red, green and blue of the result. A pixel therefore
/// takes two vector additions, and three table look-ups for encoding.
struct MatrixConversion: Sendable {
  /// 256 entries each for red, green and blue, scaled to the indices of ``SRGB/encodeTable``.
  private let contributions: [SIMD4<Float>]

  init(matrix: ColorMatrix, red: ToneCurve, green: ToneCurve, blue: ToneCurve) {
    let columns = matrix.toSRGB.columns
    var contributions: [SIMD4<Float>] = []
    contributions.reserveCapacity(768)
    for (curve, column) in [(red, columns.0), (green, columns.1), (blue, columns.2)] {
      for byte in 0...255 {
        let light = column * (curve.linear(Double(byte) / 255) * Double(SRGB.encodeScale))
        contributions.append(SIMD4(Float(light.x), Float(light.y), Float(light.z), 0))
      }
    }
    self.contributions = contributions
  }

  func convert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int, isOpaque: Bool) {
    let limit = Float(SRGB.encodeScale)
    // A `Float` of at least 2^23 has no fraction: adding it rounds, and leaves the integer in the lowest bits.
    let toInteger = SIMD4<Float>(repeating: 0x1p23)
    let mask = SIMD4(repeating: UInt32(SRGB.encodeScale))
    contributions.withUnsafeBufferPointer { contributions in
      SRGB.encodeTable.withUnsafeBufferPointer { encode in
        guard let table = contributions.baseAddress, let encode = encode.baseAddress else { return }
        var pixel = pixels
        for _ in 0..<pixelCount {
          if isOpaque || pixel[3] != 0 {
            let sum = table[Int(pixel[0])] + table[256 + Int(pixel[1])] + table[512 + Int(pixel[2])]
            // Not `clamped`, which compiles to calls that handle the lanes one by one.
            let positive = sum.replacing(with: 0, where: sum .< 0)
            let clamped = positive.replacing(with: limit, where: positive .> limit)
            let index = unsafeBitCast(clamped + toInteger, to: SIMD4<UInt32>.self) & mask
            pixel[0] = encode[Int(index.x)]
            pixel[1] = encode[Int(index.y)]
            pixel[2] = encode[Int(index.z)]
          }
          pixel += 4
        }
      }
    }
  }
}
