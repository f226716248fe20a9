import CNukeKernels

extension BuiltInFilter {
  /// Filters that combine the image with `inputBackgroundImage`. The result has the image's size. A background of
  /// another size is aligned at the lower left corner, and is transparent outside its edges.
  static let blends: [BuiltInFilter] =
    modes.map { name, mode, summary in
      BuiltInFilter(name, summary, [.image("inputBackgroundImage")]) { values, image in
        values.image("inputBackgroundImage").background(for: image).flatMap { image.blended(over: $0, mode) }
      }
    } + [
      masked("CIBlendWithMask", "BT.709 luminance", [luminance.red, luminance.green, luminance.blue, 0]),
      masked("CIBlendWithAlphaMask", "alpha", [0, 0, 0, 1]), masked("CIBlendWithRedMask", "red", [1, 0, 0, 0]),
      masked("CIBlendWithBlueMask", "blue", [0, 0, 1, 0]),
      BuiltInFilter(
        "CIColorAbsoluteDifference",
        "The absolute difference of the premultiplied colors of both images. Alpha is unchanged.",
        [.image("inputImage2")]
      ) { values, image in
        values.image("inputImage2").background(for: image).flatMap {
          image.combined(with: $0) { pointwiseMax($0, $1) - pointwiseMin($0, $1) }
        }
      },
      BuiltInFilter(
        "CIMix", "The image over the background, with the amount as its opacity (Porter and Duff).",
        [.image("inputBackgroundImage"), .number("inputAmount", 1, in: 0...1)]
      ) { values, image in
        values.image("inputBackgroundImage").background(for: image).flatMap {
          image.blended(over: $0, nuke_blend_normal, opacity: values.amount)
        }
      },
      BuiltInFilter(
        "CIDissolveTransition",
        """
        Cross-fades from the image (time 0) to the target (time 1): image · (1 − time) + target · time, in steps of \
        1/255.
        """,
        [.image("inputTargetImage"), .number("inputTime", 0, in: 0...1)]
      ) { values, image in
        let share = UInt8(((1 - values.number("inputTime")) * 255).rounded())
        let weights = [UInt8](repeating: share, count: image.pixelWidth * image.pixelHeight)
        return values.image("inputTargetImage").background(for: image).flatMap { image.mixed(with: $0, mask: weights) }
      },
    ]

  private static let luminance = PixelMatrix.luminance

  /// The mask is aligned at the lower left, and is transparent outside its edges. Its colors count as premultiplied.
  private static func masked(_ name: String, _ what: String, _ weights: [Double]) -> BuiltInFilter {
    BuiltInFilter(
      name,
      """
      Mixes the image and the background by a mask: the image where the mask's \(what) is 1, the background where it \
      is 0.
      """,
      [.image("inputBackgroundImage"), .image("inputMaskImage")]
    ) { values, image in
      guard let background = values.image("inputBackgroundImage").background(for: image),
        let mask = values.image("inputMaskImage").background(for: image)
      else { return nil }
      let bytes = mask.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 4).map { place in
          UInt8(weights.indices.reduce(0) { $0 + weights[$1] * Double(bytes[place + $1]) }.rounded())
        }
      }
      return image.mixed(with: background, mask: bytes)
    }
  }

  private static let modes: [(String, nuke_blend_mode, String)] = [
    ("CISourceOverCompositing", nuke_blend_normal, "The image over the background (Porter and Duff's source over)."),
    (
      "CISourceInCompositing", nuke_blend_source_in,
      "The image, multiplied by the alpha of the background (Porter and Duff's source in)."
    ),
    (
      "CISourceOutCompositing", nuke_blend_source_out,
      "The image, multiplied by 1 − alpha of the background (Porter and Duff's source out)."
    ),
    (
      "CISourceAtopCompositing", nuke_blend_source_atop,
      "The image over the background, with the alpha of the background (Porter and Duff's source atop)."
    ),
    (
      "CIAdditionCompositing", nuke_blend_addition,
      "The sum of the premultiplied channels of both images (Porter and Duff's plus)."
    ),
    ("CIMaximumCompositing", nuke_blend_maximum, "The larger of the premultiplied channels of both images."),
    ("CIMinimumCompositing", nuke_blend_minimum, "The smaller of the premultiplied channels of both images."),
    ("CIMultiplyCompositing", nuke_blend_multiply, w3c("multiply")),
    ("CIMultiplyBlendMode", nuke_blend_multiply, w3c("multiply")),
    ("CIScreenBlendMode", nuke_blend_screen, w3c("screen")),
    ("CIOverlayBlendMode", nuke_blend_overlay, w3c("overlay")),
    ("CIDarkenBlendMode", nuke_blend_darken, w3c("darken")),
    ("CILightenBlendMode", nuke_blend_lighten, w3c("lighten")),
    ("CIColorDodgeBlendMode", nuke_blend_color_dodge, w3c("color-dodge")),
    ("CIColorBurnBlendMode", nuke_blend_color_burn, w3c("color-burn")),
    ("CIHardLightBlendMode", nuke_blend_hard_light, w3c("hard-light")),
    ("CISoftLightBlendMode", nuke_blend_soft_light, w3c("soft-light")),
    ("CIDifferenceBlendMode", nuke_blend_difference, w3c("difference")),
    ("CIExclusionBlendMode", nuke_blend_exclusion, w3c("exclusion")),
    ("CIHueBlendMode", nuke_blend_hue, w3c("hue")),
    ("CISaturationBlendMode", nuke_blend_saturation, w3c("saturation")),
    ("CIColorBlendMode", nuke_blend_color, w3c("color")),
    ("CILuminosityBlendMode", nuke_blend_luminosity, w3c("luminosity")),
    ("CILinearBurnBlendMode", nuke_blend_linear_burn, other("s + b − 1")),
    ("CILinearDodgeBlendMode", nuke_blend_linear_dodge, other("s + b")),
    ("CILinearLightBlendMode", nuke_blend_linear_light, other("b + 2s − 1")),
    (
      "CIPinLightBlendMode", nuke_blend_pin_light,
      other("min(b, 2s) if s is at most 1/2, otherwise max(b, 2s − 1)")
    ),
    (
      "CIVividLightBlendMode", nuke_blend_vivid_light,
      other("color-burn with 2s if s is at most 1/2, otherwise color-dodge with 2s − 1")
    ),
    ("CIHardMixBlendMode", nuke_blend_hard_mix, other("1 if s + b is at least 1, otherwise 0")),
    ("CIDivideBlendMode", nuke_blend_divide, other("b / s, or 1 if s is 0")),
    ("CISubtractBlendMode", nuke_blend_subtract, other("s − b")),
  ]

  private static func other(_ formula: String) -> String {
    "Blends the image (s) and the background (b) by \(formula), clamped to 0...1. Composited like the W3C blend modes."
  }

  private static func w3c(_ mode: String) -> String {
    "Blends the image with the background in the mode \(mode) (W3C, Compositing and Blending)."
  }
}

extension Bitmap {
  /// Returns the image with the size of another, aligned at the lower left corner.
  func background(for image: Bitmap) -> Bitmap? {
    placed(x: 0, y: image.pixelHeight - pixelHeight, width: image.pixelWidth, height: image.pixelHeight)
  }
}
