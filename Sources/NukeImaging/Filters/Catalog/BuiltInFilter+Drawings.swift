extension BuiltInFilter {
  /// Filters based on edges. Edges are computed with the Sobel operator at a quarter of its weights, so that a step
  /// from 0 to 1 gives 1. Edge pixels extend outside the image.
  static let drawings: [BuiltInFilter] = [
    BuiltInFilter(
      "CIEdges",
      """
      Shows edges: intensity · √(x² + y²) of the Sobel operator on each premultiplied color, with a quarter of its \
      usual weights.
      """,
      [.number("inputIntensity", 1)]
    ) { values, image in
      image.edges(intensity: values.intensity)
    },
    BuiltInFilter(
      "CIEdgeWork",
      """
      Draws dark lines on white. The formula is 1 − 16 · (blurred − Y), clamped to 0...1. Y is the BT.709 luminance, \
      blurred by a Gaussian whose standard deviation is the radius. Our own formula.
      """,
      [.number("inputRadius", 3, in: 0...Double.infinity)]
    ) { values, image in
      guard let blurred = image.gaussianBlurred(sigma: values.radius) else { return nil }
      let (own, around) = (LuminancePlane(image), LuminancePlane(blurred))
      return image.recolored { _, column, row in
        SIMD3(repeating: 1 - 16 * (around[column, row] - own[column, row]))
      }
    },
    BuiltInFilter(
      "CILineOverlay",
      """
      Draws edges as black lines on a transparent background. The alpha is (edge · intensity − threshold) · contrast, \
      clamped to 0...1, times that of the image. Edges are those of the BT.709 luminance after CINoiseReduction with \
      the given level and sharpness. Follows Core Image's description; the formula is our own.
      """,
      [
        .number("inputNRNoiseLevel", 0.07), .number("inputNRSharpness", 0.71), .number("inputEdgeIntensity", 1),
        .number("inputThreshold", 0.1), .number("inputContrast", 50),
      ]
    ) { values, image in
      guard
        let quiet = image.noiseReduced(
          level: values.number("inputNRNoiseLevel"), sharpness: values.number("inputNRSharpness"))
      else { return nil }
      let (plane, contrast) = (LuminancePlane(quiet), values.number("inputContrast"))
      let (intensity, threshold) = (values.number("inputEdgeIntensity"), values.number("inputThreshold"))
      return image.drawnInBlack { (plane.edge($0, $1) * intensity - threshold) * contrast }
    },
    BuiltInFilter(
      "CIComicEffect",
      """
      Makes the image look like a comic. Applies CIMedianFilter, CIColorControls with a saturation of 1.3, and \
      CIColorPosterize with 6 levels, and multiplies by 1 − lines. The lines are (edge − 0.15) · 6, clamped to 0...1, \
      from the median's BT.709 luminance. Our own formula.
      """
    ) { _, image in
      guard let median = image.median() else { return nil }
      let plane = LuminancePlane(median)
      return median.applying([.matrix(.saturation(1.3)), .posterize(levels: 6)])?.recolored { color, column, row in
        color * (1 - min(max((plane.edge(column, row) - 0.15) * 6, 0), 1))
      }
    },
  ]
}

extension Bitmap {
  fileprivate func edges(intensity: Double) -> Bitmap? {
    guard let buffer, let rows = PaddedRows(self, margin: 1),
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    for y in 0..<pixelHeight {
      let (above, row, below) = (rows.row(y - 1, from: -1), rows.row(y, from: -1), rows.row(y + 1, from: -1))
      let (own, to) = (buffer.row(y), result.row(y))
      for place in 0..<bytesPerRow where place % 4 != 3 {
        let (middle, right) = (place + 4, place + 8)
        let (a, b, c) = (Int(above[place]), Int(above[middle]), Int(above[right]))
        let (d, e, f) = (Int(below[place]), Int(below[middle]), Int(below[right]))
        let across = c - a + 2 * (Int(row[right]) - Int(row[place])) + f - d
        let down = d - a + 2 * (e - b) + f - c
        let edge = Double(across * across + down * down).squareRoot() / 4 * intensity + 0.5
        to[place] = edge > 0 ? UInt8(min(edge, Double(own[place | 3]))) : 0
      }
      for alpha in stride(from: 3, to: bytesPerRow, by: 4) { to[alpha] = own[alpha] }
    }
    return withExtendedLifetime((self, rows)) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns black pixels with the given alpha from 0 to 1 for each column and row, multiplied by this image's alpha.
  fileprivate func drawnInBlack(_ alpha: (_ column: Int, _ row: Int) -> Double) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    result.clear()
    for row in 0..<pixelHeight {
      let (own, to) = (buffer.row(row), result.row(row))
      for column in 0..<pixelWidth {
        let value = alpha(column, row)
        if value > 0 { to[column * 4 + 3] = UInt8((min(value, 1) * Double(own[column * 4 + 3])).rounded()) }
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque && result.isOpaque()) }
  }
}
