/// The primaries and the transfer function of an image as ITU-T H.273 code points, as in AVIF, HEIF, PNG and video.
package struct CodePoints: Sendable, Hashable {
  /// The primaries by table 2 of H.273; 2 if unspecified.
  package var primaries: Int
  /// The transfer function by table 3 of H.273; 2 if unspecified.
  package var transfer: Int

  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  static let unspecified = 2
  static let pq = 16
  static let hlg = 18

  /// The code points with unspecified ones replaced: by sRGB's (ISO/IEC 23000-22, 7.3.6.4), but by BT.2020's primaries
  /// for PQ and HLG.
  var completed: CodePoints {
    let isHighRange = transfer == Self.pq || transfer == Self.hlg
    return CodePoints(
      primaries: primaries == Self.unspecified ? isHighRange ? 9 : 1 : primaries,
      transfer: transfer == Self.unspecified ? 13 : transfer)
  }

  /// The common name.
  package var name: String {
    switch (primaries, transfer) {
    case (9, Self.pq): "BT.2100 PQ"
    case (9, Self.hlg): "BT.2100 HLG"
    case (9, 1), (9, 6), (9, 14), (9, 15): "BT.2020"
    case (11, 17): "DCI-P3"
    case (12, 13): "Display P3"
    case (12, Self.pq): "P3 PQ"
    case (12, Self.hlg): "P3 HLG"
    case (1, 8): "linear sRGB"
    default: "H.273 \(primaries)/\(transfer)"
    }
  }

  /// The white point and the primaries by table 2 of H.273; `nil` for reserved values.
  var chromaticities: Chromaticities? {
    func d65(_ red: SIMD2<Double>, _ green: SIMD2<Double>, _ blue: SIMD2<Double>) -> Chromaticities {
      Chromaticities(white: .init(0.3127, 0.3290), red: red, green: green, blue: blue)
    }
    func c(_ red: SIMD2<Double>, _ green: SIMD2<Double>, _ blue: SIMD2<Double>) -> Chromaticities {
      Chromaticities(white: .init(0.310, 0.316), red: red, green: green, blue: blue)
    }
    return switch primaries {
    case 1: .sRGB
    case 4: c(.init(0.67, 0.33), .init(0.21, 0.71), .init(0.14, 0.08))
    case 5: d65(.init(0.64, 0.33), .init(0.29, 0.60), .init(0.15, 0.06))
    case 6, 7: d65(.init(0.630, 0.340), .init(0.310, 0.595), .init(0.155, 0.070))
    case 8: c(.init(0.681, 0.319), .init(0.243, 0.692), .init(0.145, 0.049))
    case 9: d65(.init(0.708, 0.292), .init(0.170, 0.797), .init(0.131, 0.046))
    case 11: .p3(white: .init(0.314, 0.351))
    case 12: .p3(white: .init(0.3127, 0.3290))
    case 22: d65(.init(0.630, 0.340), .init(0.295, 0.605), .init(0.155, 0.077))
    default: nil
    }
  }

  /// The curve by table 3 of H.273; `nil` for PQ, HLG and reserved values.
  ///
  /// BT.709's curve, also under its other numbers, is treated as sRGB's. It describes what a camera does, while
  /// displays show such images with an exponent of 2.4; sRGB's curve is between the two.
  var curve: ToneCurve? {
    switch transfer {
    case 1, 6, 11, 12, 13, 14, 15: .sRGB
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    // SMPTE ST 240.
    case 7: .parametric(gamma: 1 / 0.45, a: 1 / 1.1115, b: 0.1115 / 1.1115, c: 0.25, d: 0.0912, e: 0, f: 0)
    case 8: .gamma(1)
    // SMPTE ST 428-1, with white at 48 of 52.37 cd/m².
    case 17: .parametric(gamma: 2.6, a: 1.034080, b: 0, c: 0, d: 0, e: 0, f: 0)
    default: nil
    }
  }
}

extension Chromaticities {
  /// The primaries of SMPTE RP 431-2.
  package static func p3(white: SIMD2<Double>) -> Chromaticities {
    Chromaticities(white: white, red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060))
  }

  package static let bt2020 = Chromaticities(
    white: .init(0.3127, 0.3290), red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046))
}
