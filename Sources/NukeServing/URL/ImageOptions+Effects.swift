extension ImageOptions.Draft {
  /// The options that change the look of an image.
  static let effects: Family = [
    (["blur", "bl"], one(\.blur) { (arguments) throws(ServingError) in try arguments.number(0, 0...1000) }),
    (["sharpen", "sh"], one(\.sharpen) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) }),
    (["pixelate", "pix"], one(\.pixelate) { (arguments) throws(ServingError) in try arguments.int(0, length) }),
    (
      ["adjust", "a"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(3)
        draft.options.brightness = try arguments.int(0, -255...255) ?? 0
        draft.options.contrast = try arguments.number(1, 0...100) ?? 1
        draft.options.saturation = try arguments.number(2, 0...100) ?? 1
      }
    ),
    (["brightness", "br"], one(\.brightness) { (arguments) throws(ServingError) in try arguments.int(0, -255...255) }),
    (["contrast", "co"], one(\.contrast) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) }),
    (["saturation", "sa"], one(\.saturation) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) }),
    (
      ["watermark", "wm"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(5)
        let opacity = try arguments.number(0, 0...1) ?? 0
        let position = try position(arguments)
        let far = OptionArguments.longest
        let offset = ImageOptions.Pair(
          try arguments.number(2, -far...far) ?? 0, try arguments.number(3, -far...far) ?? 0)
        let scale = try arguments.number(4, 0...10) ?? 0
        draft.options.watermark =
          opacity == 0
          ? nil : ImageOptions.Watermark(opacity: opacity, position: position, offset: offset, scale: scale)
      }
    ),
  ]

  private static func position(_ arguments: OptionArguments) throws(ServingError) -> ImageOptions.Watermark.Position {
    switch arguments.text(1) {
    case nil: return .at(.center)
    case "re": return .repeated
    case "ch": return .chessboard
    default:
      guard let place: ImageOptions.Gravity.Place = try arguments.choice(1) else { return .at(.center) }
      guard place != .smart, place != .focusPoint else {
        throw arguments.error("\(place.rawValue) is no place of a watermark")
      }
      return .at(place)
    }
  }
}
