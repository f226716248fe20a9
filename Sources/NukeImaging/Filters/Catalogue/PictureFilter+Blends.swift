import CNukeKernels

extension PictureFilter {
  /// The picture above `inputBackgroundImage`. The result has the picture's size; a background of another size is laid
  /// to the lower left corner and is transparent beyond its edges.
  static let blends: [PictureFilter] =
    modes.map { name, mode, summary in
      PictureFilter(name, summary, [.image("inputBackgroundImage")]) { values, image in
        values.image("inputBackgroundImage").background(for: image).flatMap { image.blended(over: $0, mode) }
      }
    } + [
      PictureFilter(
        "CIBlendWithMask", "The picture where the mask's luminance of BT.709 is 1, the background where it is 0.",
        [.image("inputBackgroundImage"), .image("inputMaskImage")]
      ) { values, image in
        guard let background = values.image("inputBackgroundImage").background(for: image),
          let mask = values.image("inputMaskImage").background(for: image)?.applying([
            .matrix(PixelMatrix(luminanceTimes: [1, 1, 1]))
          ])
        else { return nil }
        let weights = mask.withUnsafeBytes { bytes in stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] } }
        return image.mixed(with: background, mask: weights)
      }
    ]

  private static let modes: [(String, nuke_blend_mode, String)] = [
    ("CISourceOverCompositing", nuke_blend_normal, "The picture over the background (Porter and Duff)."),
    ("CISourceInCompositing", nuke_blend_source_in, "The picture where the background is (Porter and Duff)."),
    ("CISourceOutCompositing", nuke_blend_source_out, "The picture where the background is not (Porter and Duff)."),
    (
      "CISourceAtopCompositing", nuke_blend_source_atop,
      "The picture over the background, where that is (Porter and Duff)."
    ),
    ("CIAdditionCompositing", nuke_blend_addition, "The sum of both, premultiplied (Porter and Duff's plus)."),
    ("CIMaximumCompositing", nuke_blend_maximum, "The larger of each channel, premultiplied."),
    ("CIMinimumCompositing", nuke_blend_minimum, "The smaller of each channel, premultiplied."),
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
  ]

  private static func w3c(_ mode: String) -> String {
    "The picture over the background with the mode \(mode) of W3C's Compositing and Blending."
  }
}

extension Bitmap {
  /// The picture brought to the size of another, the lower left corners together.
  func background(for image: Bitmap) -> Bitmap? {
    placed(x: 0, y: image.pixelHeight - pixelHeight, width: image.pixelWidth, height: image.pixelHeight)
  }
}
