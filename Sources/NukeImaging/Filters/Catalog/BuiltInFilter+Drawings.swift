extension BuiltInFilter {
  /// Edges are Sobel's operator with a quarter of its weights, so that a step from 0 to 1 is 1; beyond the image's
  /// edges pixels repeat.
  static let drawings: [BuiltInFilter] = [
    BuiltInFilter(
      "CIEdges",
      "The intensity times how steep each premultiplied color is: √(x² + y²) of Sobel's operator, a quarter of its weights.",
      [.number("inputIntensity", 1)]
    ) { values, image in
      image.edges(intensity: values.intensity)
    },
    BuiltInFilter(
      "CIEdgeWork",
      """
      White, and black where it is darker than around it: 1 − 16 · (blurred − Y), between 0 and 1, Y being the luminance of \
      BT.709, blurred by a Gaussian whose standard deviation is the radius. A design of ours.
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
      Black lines on nothing: (edge · intensity − threshold) · contrast as alpha, between 0 and 1, times the image's; the \
      edges are those of the luminance of BT.709 after CINoiseReduction with the level and sharpness given. The reference's \
      description; the formula is ours.
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
      CIMedianFilter, then CIColorControls with a saturation of 1.3 and CIColorPosterize with 6 levels, times 1 − lines: \
      (edge − 0.15) · 6, between 0 and 1, of the median's luminance of BT.709. A design of ours.
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

  /// Black whose alpha is a number from 0 to 1 for each column and row, times this image's.
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
