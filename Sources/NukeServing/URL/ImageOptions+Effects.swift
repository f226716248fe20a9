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
    several(["monochrome", "mc"], limit: 2) { (draft, arguments) throws(ServingError) in
      let intensity = try arguments.number(0, 0...1) ?? 0
      var monochrome = ImageOptions.Monochrome(intensity: intensity)
      if let color = try arguments.color(1) { monochrome.color = color }
      draft.options.monochrome = intensity == 0 ? nil : monochrome
    },
    several(["duotone", "dt"], limit: 3) { (draft, arguments) throws(ServingError) in
      let intensity = try arguments.number(0, 0...1) ?? 0
      let (dark, light) = (try arguments.color(1) ?? .black, try arguments.color(2) ?? .white)
      draft.options.duotone = intensity == 0 ? nil : .init(intensity: intensity, dark: dark, light: light)
    },
    several(["colorize", "col"], limit: 3) { (draft, arguments) throws(ServingError) in
      let opacity = try arguments.number(0, 0...1) ?? 0
      let color = try arguments.color(1) ?? .black
      let keepsAlpha = arguments.bool(2) ?? false
      draft.options.colorize = opacity == 0 ? nil : .init(opacity: opacity, color: color, keepsAlpha: keepsAlpha)
    },
    several(["gradient", "gr"], limit: 5) { (draft, arguments) throws(ServingError) in
      let opacity = try arguments.number(0, 0...1) ?? 0
      let color = try arguments.color(1) ?? .black
      let angle = try angle(arguments, 2)
      let (start, stop) = (try arguments.number(3, 0...1) ?? 0, try arguments.number(4, 0...1) ?? 1)
      draft.options.gradient =
        opacity == 0 ? nil : .init(opacity: opacity, color: color, angle: angle, start: start, stop: stop)
    },
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

  /// Returns a direction in degrees, 0 to 360. It is a number, or the name of a side. The default is down.
  private static func angle(_ arguments: OptionArguments, _ index: Int) throws(ServingError) -> Double {
    switch arguments.text(index) {
    case nil, "down": return 0
    case "left": return 90
    case "up": return 180
    case "right": return 270
    default:
      let angle = (try arguments.number(index, -360_000...360_000) ?? 0).truncatingRemainder(dividingBy: 360)
      return angle < 0 ? angle + 360 : angle
    }
  }

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
