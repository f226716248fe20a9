import NukeBase

extension ColorProfile {
  /// `true` if pixels with more than 8 bits per channel should be converted by
  /// ``convertDeepToSRGB(_:bits:to:pixelCount:)``. Otherwise, the result is the same as after rounding to 8 bits first.
  package var convertsDeepPixels: Bool { !isSRGB && model != .cmyk }

  /// `true` for high dynamic range (PQ or HLG).
  package var isHighRange: Bool {
    if case .highRange = source { true } else { false }
  }

  /// Converts straight RGBA with more than 8 bits per channel to straight RGBA8 in sRGB. With a gray profile, the curve
  /// is applied to each channel. Unless ``convertsDeepPixels`` is `true`, and if Little CMS cannot use the profile,
  /// components are only rounded.
  ///
  /// - Parameters:
  ///   - source: four components per pixel, each from 0 to `1 << bits` - 1.
  ///   - bits: the number of bits per component, from 8 to 16.
  ///   - target: four bytes per pixel.
  package func convertDeepToSRGB(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    deepColors(bits: bits).convert(source, bits: bits, to: target, pixelCount: pixelCount)
  }

  /// Converts CMYK with 16 bits per ink (65,535 is full ink) to opaque sRGB RGBA8.
  ///
  /// - Returns: `false`, without writing anything, if this is not a usable CMYK profile.
  package func convertDeepCMYKToSRGB(
    _ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) -> Bool {
    guard model == .cmyk, case .lcms(let transform) = deepColors(bits: 16) else { return false }
    transform.convert(source, to: target, pixelCount: pixelCount)
    for index in 0..<pixelCount { target[index * 4 + 3] = 255 }
    return true
  }

  /// Returns the conversion for a number of bits, which is created once. Other threads wait.
  private func deepColors(bits: Int) -> DeepColors {
    precondition((8...16).contains(bits))
    return deepConversions.withLock { conversions in
      if let known = conversions[bits] { return known }
      let made = makeDeepColors(bits: bits)
      conversions[bits] = made
      return made
    }
  }

  private func makeDeepColors(bits: Int) -> DeepColors {
    guard !isSRGB else { return .rounded }
    switch source {
    case .gray(let curve):
      return .light(DeepConversion(bits: bits, matrix: .sRGB, red: curve, green: curve, blue: curve))
    case .matrix(let matrix, let red, let green, let blue):
      return .light(DeepConversion(bits: bits, matrix: matrix, red: red, green: green, blue: blue))
    case .highRange(let matrix, let range):
      return .light(DeepConversion(bits: bits, matrix: matrix, range: range))
    case .icc(let data):
      guard let transform = LCMSTransform.shared(iccData: data, model: model, bits: 16) else { return .rounded }
      return model == .gray ? .gray(DeepColors.grayTable(transform)) : .lcms(transform)
    }
  }
}
