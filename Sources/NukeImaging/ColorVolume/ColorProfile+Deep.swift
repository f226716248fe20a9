extension ColorProfile {
  /// `true` if pixels of more than 8 bits a channel should be handed to ``convertDeepToSRGB(_:bits:to:pixelCount:)``.
  /// Otherwise nothing is gained over rounding them to 8 bits first.
  package var convertsDeepPixels: Bool {
    switch source {
    case .highRange: true
    case .matrix: !isSRGB
    case .gray, .icc: false
    }
  }

  /// `true` if the image is brighter than a screen of sRGB (PQ or HLG).
  package var isHighRange: Bool {
    if case .highRange = source { true } else { false }
  }

  /// Turns straight RGBA of more than 8 bits a channel into straight RGBA8 in sRGB.
  ///
  /// - Parameters:
  ///   - source: four components a pixel, each from 0 to `1 << bits` - 1.
  ///   - bits: from 8 to 16.
  ///   - target: four bytes a pixel.
  /// - Returns: false, with nothing done, unless ``convertsDeepPixels``.
  @discardableResult
  package func convertDeepToSRGB(
    _ source: UnsafePointer<UInt16>, bits: Int, to target: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) -> Bool {
    guard let conversion = deepConversion(bits: bits) else { return false }
    conversion.convert(source, to: target, pixelCount: pixelCount)
    return true
  }

  /// Made once for a number of bits, while others that ask wait.
  private func deepConversion(bits: Int) -> DeepConversion? {
    precondition((8...16).contains(bits))
    return deepConversions.withLock { conversions in
      if let known = conversions[bits] { return known }
      switch source {
      case .matrix(let matrix, let red, let green, let blue) where !isSRGB:
        conversions[bits] = DeepConversion(bits: bits, matrix: matrix, red: red, green: green, blue: blue)
      case .highRange(let matrix, let range):
        conversions[bits] = DeepConversion(bits: bits, matrix: matrix, range: range)
      case .gray, .matrix, .icc:
        break
      }
      return conversions[bits]
    }
  }
}
