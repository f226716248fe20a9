import NukeImaging

/// Converts the pixels of a PNG from 16 bits a channel to sRGB.
struct PNGDeepColors {
  private let profile: ColorProfile
  /// The 16-bit component of black, and the factor to the full range, if the samples have a narrow range.
  private let narrowRange: (black: Double, scale: Double)?

  /// - Parameter narrowBits: the bit depth of narrow-range samples; `nil` for the full range.
  init(profile: ColorProfile, narrowBits: Int?) {
    self.profile = profile
    // ITU-T H.273, 8.3: black is 16 and white 235 of 255, and proportionally more at higher bit depths. Depths below 8
    // have
    // no narrow range of their own, and are treated like the 8 bits to which they are scaled.
    narrowRange = narrowBits.map { bits -> (Double, Double) in
      let step: Double = bits == 16 ? 256 : 257
      return (16 * step, 65_535 / (219 * step))
    }
  }

  /// Converts straight RGBA of 16 bits a channel to straight RGBA8 in sRGB.
  func convert(
    _ components: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int
  ) {
    guard let narrowRange else {
      return profile.convertDeepToSRGB(components, bits: 16, to: pixels, pixelCount: pixelCount)
    }
    var full = [UInt16](repeating: 0, count: min(pixelCount, 256) * 4)
    var done = 0
    while done < pixelCount {
      let count = min(pixelCount - done, 256)
      for index in 0..<count * 4 {
        let component = components[done * 4 + index]
        let value = ((Double(component) - narrowRange.black) * narrowRange.scale).rounded()
        // Alpha always has the full range.
        full[index] = index % 4 == 3 ? component : UInt16(min(max(value, 0), 65_535))
      }
      profile.convertDeepToSRGB(full, bits: 16, to: pixels + done * 4, pixelCount: count)
      done += count
    }
  }
}
