import NukeImaging

extension ImageOptions.Draft {
  /// The options that change the look of an image.
  static let effects: Family = [
    one(["blur", "bl"], \.blur) { (arguments) throws(ServingError) in try arguments.number(0, 0...1000) },
    one(["sharpen", "sh"], \.sharpen) { (arguments) throws(ServingError) in try arguments.number(0, 0...100) },
    several(["unsharp_masking", "ush"], limit: 3) { (draft, arguments) throws(ServingError) in
      let mode: ImageOptions.UnsharpMask.Mode? = try arguments.choice(0)
      let weight = try arguments.number(1, 0.001...1000) ?? 1
      let divider = try arguments.number(2, 0.001...100_000) ?? 24
      draft.options.unsharpMask =
        arguments.texts.isEmpty ? nil : .init(mode ?? .auto, weight: weight, divider: divider)
    },
    several(["blur_areas", "ba"], limit: 1 + 4 * mostAreas) { (draft, arguments) throws(ServingError) in
      let sigma = try arguments.number(0, 0...1000) ?? 0
      let areas = try areas(arguments)
      draft.options.blurAreas = sigma == 0 || areas.isEmpty ? nil : .init(sigma: sigma, areas: areas)
    },
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
    one(["watermark_text", "wmt"], \.watermarkText) { (arguments) throws(ServingError) in
      guard let text = try arguments.base64(0) else { return nil }
      #if SVG
        _ = try WatermarkText(text)
        return text
      #else
        throw arguments.error("this build was made without the trait SVG, which draws texts")
      #endif
    },
    several(["watermark_size", "wms"], limit: 2) { (draft, arguments) throws(ServingError) in
      draft.options.watermarkWidth = try arguments.int(0, length) ?? 0
      draft.options.watermarkHeight = try arguments.int(1, length) ?? 0
    },
    one(["watermark_rotate", "wm_rot", "wmr"], \.watermarkRotation) { (arguments) throws(ServingError) in
      try arguments.number(0, -360_000...360_000)?.truncatingRemainder(dividingBy: 360)
    },
    one(["watermark_shadow", "wmsh"], \.watermarkShadow) { (arguments) throws(ServingError) in
      try arguments.number(0, 0...100)
    },
    one(["style", "st"], \.style) { (arguments) throws(ServingError) in try arguments.base64(0) },
  ]

  /// The maximum number of areas to blur.
  private static let mostAreas = 64

  private static func areas(_ arguments: OptionArguments) throws(ServingError) -> [ImageOptions.BlurAreas.Area] {
    guard arguments.count % 4 == 1 || arguments.texts.count <= 1 else {
      throw arguments.error("each area needs left, top, width and height")
    }
    var areas: [ImageOptions.BlurAreas.Area] = []
    for index in stride(from: 1, to: arguments.count - 3, by: 4) {
      let area = ImageOptions.BlurAreas.Area(
        x: try arguments.number(index, 0...1) ?? 0, y: try arguments.number(index + 1, 0...1) ?? 0,
        width: try arguments.number(index + 2, 0...1) ?? 0, height: try arguments.number(index + 3, 0...1) ?? 0)
      guard area.width > 0, area.height > 0 else { throw arguments.error("each area needs a width and a height") }
      areas.append(area)
    }
    return areas
  }

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
