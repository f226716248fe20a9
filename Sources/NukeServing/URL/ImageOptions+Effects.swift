extension ImageOptions.Draft {
  /// The options that change the look of an image.
  static let effects: Family = [
    one(["blur", "bl"], \.blur) { (arguments) throws(ServingError) in try arguments.number(0, 0...1000) },
    one(["sharpen", "sh"], \.sharpen) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) },
    one(["pixelate", "pix"], \.pixelate, side),
    several(["adjust", "a"], limit: 3) { (draft, arguments) throws(ServingError) in
      draft.options.brightness = try arguments.int(0, -255...255) ?? 0
      draft.options.contrast = try arguments.number(1, 0...100) ?? 1
      draft.options.saturation = try arguments.number(2, 0...100) ?? 1
    },
    one(["brightness", "br"], \.brightness) { (arguments) throws(ServingError) in try arguments.int(0, -255...255) },
    one(["contrast", "co"], \.contrast) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) },
    one(["saturation", "sa"], \.saturation) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) },
    several(["watermark", "wm"], limit: 5) { (draft, arguments) throws(ServingError) in
      let opacity = try arguments.number(0, 0...1) ?? 0
      let position = try position(arguments)
      let far = OptionArguments.longest
      let offset = ImageOptions.Pair(
        try arguments.number(2, -far...far) ?? 0, try arguments.number(3, -far...far) ?? 0)
      let scale = try arguments.number(4, 0...10) ?? 0
      draft.options.watermark =
        opacity == 0
        ? nil : ImageOptions.Watermark(opacity: opacity, position: position, offset: offset, scale: scale)
    },
    one(["watermark_url", "wmu"], \.watermarkSource) { (arguments) throws(ServingError) in
      try arguments.base64(0)
    },
  ]

  private static func position(_ arguments: OptionArguments) throws(ServingError) -> ImageOptions.Watermark.Position {
    switch arguments.text(1) {
    case nil: return .at(.center)
    case "re": return .repeated
    case "ch": return .chessboard
    default:
      guard let place: ImageOptions.Gravity.Place = try arguments.choice(1) else { return .at(.center) }
      guard place != .smart, place != .focusPoint else {
        throw arguments.error("\(place.rawValue) is not a position of a watermark")
      }
      return .at(place)
    }
  }
}
