extension BuiltInFilter {
  /// Convolutions. Edge pixels extend outside the image. Weights are in rows from the top.
  static let convolutions: [BuiltInFilter] = [false, true].flatMap { keepsAlpha in
    [
      ("3X3", 3, 3), ("5X5", 5, 5), ("7X7", 7, 7), ("9Horizontal", 9, 1), ("9Vertical", 1, 9),
    ].map { shape, width, height in
      convolution("CIConvolution\(keepsAlpha ? "RGB" : "")\(shape)", width, height, keepsAlpha: keepsAlpha)
    }
  }

  private static func convolution(_ name: String, _ width: Int, _ height: Int, keepsAlpha: Bool) -> BuiltInFilter {
    var identity = [Double](repeating: 0, count: width * height)
    identity[width * height / 2] = 1
    return BuiltInFilter(
      name,
      """
      Convolves the image: the sum of \(width) x \(height) pixels times their weights, plus the bias. Core Image's \
      documented formula, on premultiplied channels; \(keepsAlpha ? "alpha is unchanged" : "alpha is one of them"). \
      The result is clamped to 0...1, and colors to alpha.
      """,
      [.vector("inputWeights", identity), .number("inputBias", 0)]
    ) { values, image in
      let neighbors = values.vector("inputWeights").enumerated().map { index, weight in
        WeighedNeighbor(x: index % width - width / 2, y: index / width - height / 2, weight: weight)
      }
      return image.weighed(neighbors, bias: values.number("inputBias"), keepsAlpha: keepsAlpha)
    }
  }
}
