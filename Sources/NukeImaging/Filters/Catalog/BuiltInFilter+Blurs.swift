import CNukeKernels
import Foundation

extension BuiltInFilter {
  static let blurs: [BuiltInFilter] = [
    BuiltInFilter(
      "CIGaussianBlur", "Blurs with a Gaussian. The radius is its standard deviation in pixels.",
      [.number("inputRadius", 10, in: 0...Double.infinity)]
    ) { values, image in image.gaussianBlurred(sigma: values.radius) },
    BuiltInFilter(
      "CIBoxBlur",
      "Blurs with the mean of a square of 2 · radius + 1 pixels. The radius is rounded to a whole number.",
      [.number("inputRadius", 10, in: 0...32767)]
    ) { values, image in image.boxBlurred(radius: Int(values.radius.rounded())) },
    BuiltInFilter(
      "CIDiscBlur",
      "Blurs with the mean of all pixels whose centers are within the radius. The radius is at most 100.",
      [.number("inputRadius", 8, in: 0...100)]
    ) { values, image in image.mean(of: values.disc) },
    BuiltInFilter(
      "CIMotionBlur",
      """
      Blurs along a line: the mean of the pixels on it, up to the radius on both sides. The radius is at most 200. The \
      angle is in radians from the x axis. There is one sample for each column, or for each row if the line is steep, \
      interpolated between the two nearest pixels.
      """,
      [.number("inputRadius", 20, in: 0...200), .number("inputAngle", 0)]
    ) { values, image in
      image.weighed(WeighedNeighbor.line(radius: values.radius, angle: values.angle))
    },
    BuiltInFilter(
      "CIZoomBlur",
      """
      Blurs towards the center: the mean of 32 bilinear samples between each pixel and the point that is amount \
      percent closer to the center. A negative amount samples away from the center. The amount is from −200 to 200. \
      Core Image does not publish its unit; this one is our own.
      """,
      [center, .number("inputAmount", 20, in: -200...200)]
    ) { values, image in
      let (center, amount, lookups) = (values.center, values.amount / 100, 32)
      if amount == 0 { return image }
      return image.warped(edges: .repeated, lookups: lookups) { corner, lookup in
        let offset = corner + 0.5 - center
        return center + offset * (1 - amount * Double(lookup) / Double(lookups - 1))
      }
    },
    BuiltInFilter(
      "CIMaskedVariableBlur",
      """
      Blurs with a Gaussian whose standard deviation is the radius times the mask's luminance. The mask is placed at \
      the lower left and is black outside its edges. Interpolates between blurs with 0, 1/4, 1/2, 3/4 and all of the \
      radius.
      """,
      [.image("inputMask"), .number("inputRadius", 5, in: 0...Double.infinity)]
    ) { values, image in
      guard let mask = values.image("inputMask").luminances(for: image) else { return nil }
      return image.blurred(radius: values.radius, mask: mask)
    },
    BuiltInFilter(
      "CIDepthOfField",
      """
      Sharpens near the line through two points, and blurs far from it. On the line, CIUnsharpMask and the saturation \
      of CIColorControls apply. Over half of the image's height, a smooth step of the distance leads to a Gaussian \
      whose standard deviation is the radius, as in CIMaskedVariableBlur. Our own formula.
      """,
      [
        .vector("inputPoint0", [0, 300]), .vector("inputPoint1", [300, 300]), .number("inputSaturation", 1.5),
        .number("inputUnsharpMaskRadius", 2.5, in: 0...Double.infinity),
        .number("inputUnsharpMaskIntensity", 0.5), .number("inputRadius", 6, in: 0...Double.infinity),
      ]
    ) { values, image in
      let (start, line) = (values.place("inputPoint0"), values.place("inputPoint1") - values.place("inputPoint0"))
      let far = Double(image.pixelHeight) / 2
      let mask = (0..<image.pixelHeight).flatMap { row in
        (0..<image.pixelWidth).map { column -> UInt8 in
          let offset = ImagePoint(Double(column) + 0.5, Double(image.pixelHeight - row) - 0.5) - start
          let distance = line.length > 0 ? abs(line.cross(offset)) / line.length : offset.length
          let share = distance < far ? distance / far : 1
          return UInt8((share * share * (3 - 2 * share) * 255).rounded())
        }
      }
      return image.sharpened(
        radius: values.number("inputUnsharpMaskRadius"), values.number("inputUnsharpMaskIntensity"), luminance: false
      )?.applying([.matrix(.saturation(values.number("inputSaturation")))])?
      .blurred(radius: values.radius, mask: mask)
    },
    BuiltInFilter(
      "CINoiseReduction",
      """
      Reduces noise, and sharpens the rest. If the luminance differs from that of the mean of 3 x 3 pixels by less \
      than the noise level, the result is the mean; otherwise, it is c + sharpness · (c − mean). Premultiplied. \
      Follows Core Image's description; the choice of the blur is our own.
      """,
      [.number("inputNoiseLevel", 0.02), .number("inputSharpness", 0.4)]
    ) { values, image in
      image.noiseReduced(level: values.number("inputNoiseLevel"), sharpness: values.number("inputSharpness"))
    },
    BuiltInFilter("CIMedianFilter", "The median of each channel over 3 x 3 pixels.") { _, image in image.median() },
    BuiltInFilter(
      "CIUnsharpMask",
      "Sharpens with c + intensity · (c − blurred). The blur is a Gaussian whose standard deviation is the radius.",
      [.number("inputRadius", 2.5, in: 0...Double.infinity), .number("inputIntensity", 0.5)]
    ) { values, image in
      image.sharpened(radius: values.radius, values.intensity, luminance: false)
    },
    BuiltInFilter(
      "CISharpenLuminance",
      """
      Sharpens like CIUnsharpMask, but adds the difference of the BT.709 luminance to all channels, which keeps the \
      hue.
      """,
      [.number("inputSharpness", 0.4), .number("inputRadius", 1.69, in: 0...Double.infinity)]
    ) { values, image in
      image.sharpened(radius: values.radius, values.number("inputSharpness"), luminance: true)
    },
    glow("CIBloom", "screened", nuke_blend_screen), glow("CIGloom", "multiplied", nuke_blend_multiply),
  ]

  private static func glow(_ name: String, _ blended: String, _ mode: nuke_blend_mode) -> BuiltInFilter {
    BuiltInFilter(
      name,
      "Blends the blurred image over the original, \(blended), with the intensity as its opacity. Our own formula.",
      [.number("inputRadius", 10, in: 0...Double.infinity), .number("inputIntensity", 0.5, in: 0...1)]
    ) { values, image in
      image.gaussianBlurred(sigma: values.radius)?.blended(over: image, mode, opacity: values.intensity)
    }
  }
}

extension Bitmap {
  /// Returns the image plus `amount` times its difference from a Gaussian blur with this radius.
  package func sharpened(radius: Double, _ amount: Double, luminance: Bool) -> Bitmap? {
    if radius == 0 || amount == 0 { return self }
    return gaussianBlurred(sigma: radius).flatMap { sharpened(with: $0, amount: amount, luminance: luminance) }
  }
}

extension Bitmap {
  func noiseReduced(level: Double, sharpness: Double) -> Bitmap? {
    mean(of: PixelNeighborhood(width: 3, height: 3)).flatMap { mean in
      combined(with: mean) { own, mean in
        abs((own - mean).luminance) < level ? mean : own + (own - mean) * sharpness
      }
    }
  }

  /// Returns the premultiplied BT.709 luminance from 0 to 255 of this image, aligned at the lower left of another.
  fileprivate func luminances(for image: Bitmap) -> [UInt8]? {
    background(for: image)?.applying([.matrix(PixelMatrix(luminanceTimes: [1, 1, 1]))])?.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
    }
  }

  /// Returns the image blurred by Gaussians whose radius is multiplied by the mask's byte / 255.
  fileprivate func blurred(radius: Double, mask: [UInt8]) -> Bitmap? {
    let levels = 4
    var result: Bitmap? = self
    for level in 1...levels {
      let weights = mask.map { UInt8(min(max(Int($0) * levels - 255 * (level - 1), 0), 255)) }
      guard let below = result else { return nil }
      result = gaussianBlurred(sigma: radius * Double(level) / Double(levels))?.mixed(with: below, mask: weights)
    }
    return result
  }
}

extension WeighedNeighbor {
  /// Returns the neighbors for the mean along a line through a pixel.
  fileprivate static func line(radius: Double, angle: Double) -> [WeighedNeighbor] {
    let (across, down) = (cos(angle), -sin(angle))
    let isSteep = abs(down) > abs(across)
    let (main, other) = isSteep ? (down, across) : (across, down)
    let steps = Int(radius * abs(main))
    let share = 1 / Double(2 * steps + 1)
    return (-steps...steps).flatMap { step -> [WeighedNeighbor] in
      let place = Double(step) * other / main
      let low = place.rounded(.down)
      return [(Int(low), 1 - (place - low)), (Int(low) + 1, place - low)].map { offset, weight in
        WeighedNeighbor(x: isSteep ? offset : step, y: isSteep ? step : offset, weight: weight * share)
      }
    }
  }
}
