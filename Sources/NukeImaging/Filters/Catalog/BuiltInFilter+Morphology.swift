extension BuiltInFilter {
  /// The maximum radius, which bounds the time.
  private static let largestRadius = 200.0
  private static let radius = ImageFilterParameter.number("inputRadius", 0, in: 0...largestRadius)
  private static let sides: [ImageFilterParameter] = [
    .number("inputWidth", 5, in: 1...largestRadius), .number("inputHeight", 5, in: 1...largestRadius),
  ]

  /// Filters on each premultiplied channel. Edge pixels extend outside the image.
  static let morphology: [BuiltInFilter] =
    [("Maximum", "largest", true), ("Minimum", "smallest", false)].flatMap { name, which, isLargest in
      [
        BuiltInFilter(
          "CIMorphology\(name)",
          "The \(which) value of each channel among the pixels within the radius. The radius is at most 200.", [radius]
        ) { values, image in image.extreme(isLargest, of: values.disc) },
        BuiltInFilter(
          "CIMorphologyRectangle\(name)",
          "The \(which) value of each channel in a rectangle. Even sides are increased by one; sides are at most 201.",
          sides
        ) { values, image in image.extreme(isLargest, of: values.rectangle) },
      ]
    } + [
      BuiltInFilter(
        "CIMorphologyGradient",
        """
        The difference of the largest and the smallest value of each color among the pixels within the radius. The \
        radius is at most 200. Alpha is the largest.
        """,
        [.number("inputRadius", 5, in: 0...largestRadius)]
      ) { values, image in
        guard let smallest = image.extreme(false, of: values.disc) else { return nil }
        return image.extreme(true, of: values.disc)?.combined(with: smallest, -)
      }
    ]
}

extension ImageFilterValues {
  var disc: PixelNeighborhood { PixelNeighborhood(discOfRadius: number("inputRadius")) }

  fileprivate var rectangle: PixelNeighborhood {
    PixelNeighborhood(width: Int(number("inputWidth")), height: Int(number("inputHeight")))
  }
}
