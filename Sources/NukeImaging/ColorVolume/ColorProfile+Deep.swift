extension ColorProfile {
  /// `true` if pixels of more than 8 bits a channel should be handed to ``convertDeepToSRGB(_:bits:to:pixelCount:)``.
  /// Otherwise nothing is gained over rounding them to 8 bits first.
  package var convertsDeepPixels: Bool { !isSRGB && model != .cmyk }

  /// `true` if the image is brighter than a screen of sRGB (PQ or HLG).
  package var isHighRange: Bool {
    if case .highRange = source { true } else { false }
  }

  /// Turns straight RGBA of more than 8 bits a channel into straight RGBA8 in sRGB. Of a gray profile each channel goes
  /// through the curve. Unless ``convertsDeepPixels``, and where Little CMS cannot use the profile, components are only
  /// rounded.
  ///
  /// - Parameters:
  ///   - source: four components a pixel, each from 0 to `1 << bits` - 1.
  ///   - bits: from 8 to 16.
  ///   - target: four bytes a pixel.
  package func convertDeepToSRGB(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    deepColors(bits: bits).convert(source, bits: bits, to: target, pixelCount: pixelCount)
  }

  /// Turns CMYK of 16 bits an ink (65,535 is full ink) into opaque sRGB RGBA8.
  ///
  /// - Returns: false, with nothing done, where this is no usable CMYK profile.
  package func convertDeepCMYKToSRGB(
    _ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) -> Bool {
    guard model == .cmyk, case .lcms(let transform) = deepColors(bits: 16) else { return false }
    transform.convert(source, to: target, pixelCount: pixelCount)
    for index in 0..<pixelCount { target[index * 4 + 3] = 255 }
    return true
  }

  /// Made once for a number of bits, while others that ask wait.
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
