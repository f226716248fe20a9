/// Converts CIE L*a*b* relative to D50 (ICC.1:2010, annex A, and CIE 15, 8.2.1) to sRGB, relative to the white points
/// of both. Colors outside sRGB are clipped.
package enum LabConversion {
  /// Converts straight pixels with four 16-bit components to straight RGBA8.
  ///
  /// - Parameter source: L* from 0 to 100, a* and b* from -128 to 127, each scaled to 16 bits as in version 4 profiles
  ///   (ICC.1:2010, 6.3.4.2), and alpha.
  package static func convertToSRGB(
    _ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    let white = SIMD3(0.9642, 1, 0.8249)
    for pixel in 0..<pixelCount {
      let (lab, rgba) = (source + pixel * 4, target + pixel * 4)
      let y = (Double(lab[0]) * 100 / 65_535 + 16) / 116
      let x = y + (Double(lab[1]) / 257 - 128) / 500
      let z = y - (Double(lab[2]) / 257 - 128) / 200
      let light = toSRGB * (SIMD3(linear(x), linear(y), linear(z)) * white)
      for channel in 0..<3 {
        let value = min(max(light[channel], 0), 1)
        rgba[channel] = SRGB.encodeTable[Int((value * Double(SRGB.encodeScale)).rounded())]
      }
      rgba[3] = UInt8((UInt32(lab[3]) * 255 + 32_767) / 65_535)
    }
  }

  private static let toSRGB = ColorMatrix.sRGB.inverse ?? ColorMatrix(diagonal: .one)

  private static func linear(_ t: Double) -> Double {
    t > 6.0 / 29 ? t * t * t : (t - 4.0 / 29) * (108.0 / 841)
  }
}
