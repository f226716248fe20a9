extension BuiltInFilter {
  /// Radii above are this one, which bounds the time.
  private static let largestRadius = 200.0
  private static let radius = ImageFilterParameter.number("inputRadius", 0, in: 0...largestRadius)
  private static let sides: [ImageFilterParameter] = [
    .number("inputWidth", 5, in: 1...largestRadius), .number("inputHeight", 5, in: 1...largestRadius),
  ]

  /// Each channel by itself, premultiplied; beyond the edges pixels repeat.
  static let morphology: [BuiltInFilter] =
    [("Maximum", "largest", true), ("Minimum", "smallest", false)].flatMap { name, which, isLargest in
      [
        BuiltInFilter(
          "CIMorphology\(name)",
          "The \(which) of each channel among the pixels at most the radius away, of 200 at most.", [radius]
        ) { values, image in image.extreme(isLargest, of: values.disc) },
        BuiltInFilter(
          "CIMorphologyRectangle\(name)",
          "The \(which) of each channel in a rectangle of whole sides, even ones being one more, of 201 at most.", sides
        ) { values, image in image.extreme(isLargest, of: values.rectangle) },
      ]
    } + [
      BuiltInFilter(
        "CIMorphologyGradient",
        """
        The largest less the smallest of each color among the pixels at most the radius away, of 200 at most; with the \
        largest alpha.
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
