extension ColorFilter {
  /// Looks after the reference's descriptions. Core Image keeps its tables to itself; these are designs of ours, of
  /// saturation, contrast, a spline for each channel and at times a matrix.
  static let photoEffects: [ColorFilter] = [
    ColorFilter("CIPhotoEffectMono", "Black and white of low contrast; a design of ours.") { _, _, _ in
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1])), .matrix(.contrast(0.88))]
    },
    ColorFilter("CIPhotoEffectTonal", "Black and white of unchanged contrast: the luminance of BT.709.") { _, _, _ in
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1]))]
    },
    ColorFilter("CIPhotoEffectNoir", "Black and white of exaggerated contrast; a design of ours.") { _, _, _ in
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1])), .curves(ColorCurves(tones(0, 0.13, 0.48, 0.86, 1)))]
    },
    ColorFilter("CIPhotoEffectChrome", "Film with exaggerated colors; a design of ours.") { _, _, _ in
      [
        .matrix(.saturation(1.3)),
        .curves(
          ColorCurves(
            red: tones(0, 0.24, 0.54, 0.81, 1), green: tones(0, 0.23, 0.52, 0.8, 1),
            blue: tones(0.02, 0.24, 0.5, 0.77, 0.98))),
      ]
    },
    ColorFilter("CIPhotoEffectFade", "Film with faded colors; a design of ours.") { _, _, _ in
      [.matrix(.saturation(0.65)), .curves(ColorCurves(tones(0.09, 0.31, 0.54, 0.76, 0.95)))]
    },
    ColorFilter("CIPhotoEffectInstant", "Instant film with distorted colors; a design of ours.") { _, _, _ in
      [
        .matrix(.saturation(0.8)),
        .curves(
          ColorCurves(
            red: tones(0.05, 0.3, 0.58, 0.82, 0.98), green: tones(0.04, 0.28, 0.55, 0.79, 0.96),
            blue: tones(0.12, 0.32, 0.51, 0.7, 0.87))),
      ]
    },
    ColorFilter("CIPhotoEffectProcess", "Film with cool colors; a design of ours.") { _, _, _ in
      [
        .matrix(.saturation(0.9)),
        .curves(
          ColorCurves(
            red: tones(0, 0.2, 0.47, 0.76, 0.96), green: tones(0.02, 0.27, 0.54, 0.8, 1),
            blue: tones(0.08, 0.33, 0.58, 0.8, 0.98))),
      ]
    },
    ColorFilter("CIPhotoEffectTransfer", "Film with warm colors; a design of ours.") { _, _, _ in
      [
        .matrix(.saturation(0.85)),
        .curves(
          ColorCurves(
            red: tones(0.05, 0.31, 0.6, 0.85, 1), green: tones(0.03, 0.26, 0.52, 0.78, 0.97),
            blue: tones(0.06, 0.25, 0.46, 0.68, 0.88))),
      ]
    },
  ]

  /// The spline through values at 0, 1/4, 1/2, 3/4 and 1.
  private static func tones(_ values: Double...) -> (Double) -> Double {
    let spline = CubicSpline(values.enumerated().map { (x: Double($0.offset) / 4, y: $0.element) })
    return { spline.value($0) }
  }
}
