import CNukeKernels

extension PictureFilter {
  static let blurs: [PictureFilter] = [
    PictureFilter(
      "CIGaussianBlur", "A Gaussian whose standard deviation is the radius in pixels.",
      [.number("inputRadius", 10, in: 0...Double.infinity)]
    ) { values, image in image.gaussianBlurred(sigma: values.number("inputRadius")) },
    PictureFilter(
      "CIBoxBlur", "The mean of a square of 2 · radius + 1 pixels, the radius rounded to whole ones.",
      [.number("inputRadius", 10, in: 0...32767)]
    ) { values, image in image.boxBlurred(radius: Int(values.number("inputRadius").rounded())) },
    PictureFilter("CIMedianFilter", "The median of each channel over 3 x 3 pixels.") { _, image in image.median() },
    PictureFilter(
      "CIUnsharpMask", "c + intensity · (c − blurred), blurred by a Gaussian whose deviation is the radius.",
      [.number("inputRadius", 2.5, in: 0...Double.infinity), .number("inputIntensity", 0.5)]
    ) { values, image in
      image.sharpened(radius: values.number("inputRadius"), values.number("inputIntensity"), luminance: false)
    },
    PictureFilter(
      "CISharpenLuminance",
      "As CIUnsharpMask, but the difference of the luminance of BT.709 is added to all channels, so that hues stay.",
      [.number("inputSharpness", 0.4), .number("inputRadius", 1.69, in: 0...Double.infinity)]
    ) { values, image in
      image.sharpened(radius: values.number("inputRadius"), values.number("inputSharpness"), luminance: true)
    },
    PictureFilter(
      "CIBloom", "The blurred picture screened over itself with the intensity as opacity; a design of ours.",
      [.number("inputRadius", 10, in: 0...Double.infinity), .number("inputIntensity", 0.5, in: 0...1)]
    ) { values, image in
      image.gaussianBlurred(sigma: values.number("inputRadius"))?
        .blended(over: image, nuke_blend_screen, opacity: values.number("inputIntensity"))
    },
    PictureFilter(
      "CIGloom", "The blurred picture multiplied over itself with the intensity as opacity; a design of ours.",
      [.number("inputRadius", 10, in: 0...Double.infinity), .number("inputIntensity", 0.5, in: 0...1)]
    ) { values, image in
      image.gaussianBlurred(sigma: values.number("inputRadius"))?
        .blended(over: image, nuke_blend_multiply, opacity: values.number("inputIntensity"))
    },
  ]
}

extension Bitmap {
  /// The picture and `amount` times its difference from one blurred by a Gaussian of this deviation.
  package func sharpened(radius: Double, _ amount: Double, luminance: Bool) -> Bitmap? {
    if radius == 0 || amount == 0 { return self }
    return gaussianBlurred(sigma: radius).flatMap { sharpened(with: $0, amount: amount, luminance: luminance) }
  }
}
