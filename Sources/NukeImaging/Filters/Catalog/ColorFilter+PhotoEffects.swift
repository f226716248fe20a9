extension ColorFilter {
  /// Film looks that follow Core Image's descriptions. Core Image does not publish its tables; these are our own
  /// combinations of saturation, contrast, a spline for each channel, and in some cases a matrix.
  static let photoEffects: [ColorFilter] = [
    ColorFilter(
      "CIPhotoEffectMono", "Black and white with low contrast. Our own formula.",
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1])), .matrix(.contrast(0.88))]),
    ColorFilter(
      "CIPhotoEffectTonal", "Black and white with unchanged contrast: the BT.709 luminance.",
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1]))]),
    ColorFilter(
      "CIPhotoEffectNoir", "Black and white with high contrast. Our own formula.",
      [.matrix(PixelMatrix(luminanceTimes: [1, 1, 1])), .curves(ColorCurves(tones([0, 0.13, 0.48, 0.86, 1])))]),
    film(
      "Chrome", "exaggerated", 1.3, [0, 0.24, 0.54, 0.81, 1], [0, 0.23, 0.52, 0.8, 1], [0.02, 0.24, 0.5, 0.77, 0.98]),
    film("Fade", "faded", 0.65, [0.09, 0.31, 0.54, 0.76, 0.95]),
    film(
      "Instant", "distorted", 0.8, [0.05, 0.3, 0.58, 0.82, 0.98], [0.04, 0.28, 0.55, 0.79, 0.96],
      [0.12, 0.32, 0.51, 0.7, 0.87], kind: "Instant film"),
    film(
      "Process", "cool", 0.9, [0, 0.2, 0.47, 0.76, 0.96], [0.02, 0.27, 0.54, 0.8, 1], [0.08, 0.33, 0.58, 0.8, 0.98]),
    film(
      "Transfer", "warm", 0.85, [0.05, 0.31, 0.6, 0.85, 1], [0.03, 0.26, 0.52, 0.78, 0.97],
      [0.06, 0.25, 0.46, 0.68, 0.88]),
  ]

  /// - Parameter tones: the tone curves of red, green and blue, or one for all three.
  private static func film(
    _ name: String, _ colors: String, _ saturation: Double, _ tones: [Double]..., kind: String = "Film"
  ) -> ColorFilter {
    ColorFilter(
      "CIPhotoEffect\(name)", "\(kind) with \(colors) colors. Our own formula.",
      [
        .matrix(.saturation(saturation)),
        .curves(
          ColorCurves(
            red: Self.tones(tones[0]), green: Self.tones(tones[tones.count / 2]),
            blue: Self.tones(tones[tones.count - 1]))),
      ])
  }

  /// Returns the spline through values at 0, 1/4, 1/2, 3/4 and 1.
  private static func tones(_ values: [Double]) -> (Double) -> Double {
    let spline = CubicSpline(values.enumerated().map { (x: Double($0.offset) / 4, y: $0.element) })
    return { spline.value($0) }
  }
}
