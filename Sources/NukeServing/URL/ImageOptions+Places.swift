extension ImageOptions.Draft {
  /// The options for cropping, orientation, and the area around an image.
  static let places: Family = [
    (
      ["gravity", "g"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(3)
        draft.options.gravity = try arguments.gravity(0) ?? ImageOptions.Gravity()
      }
    ),
    (
      ["crop", "c"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(5)
        let width = try arguments.number(0, 0...OptionArguments.longest) ?? 0
        let height = try arguments.number(1, 0...OptionArguments.longest) ?? 0
        let gravity = try arguments.gravity(2)
        draft.options.crop =
          width == 0 && height == 0 ? nil : ImageOptions.Crop(width: width, height: height, gravity: gravity)
      }
    ),
    (
      ["trim", "t", "tr"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(4)
        let color = try arguments.color(1)
        let isEqualHorizontally = try arguments.bool(2) ?? false
        let isEqualVertically = try arguments.bool(3) ?? false
        draft.options.trim = try arguments.number(0, 0...255).map {
          ImageOptions.Trim(
            threshold: $0, color: color, isEqualHorizontally: isEqualHorizontally, isEqualVertically: isEqualVertically)
        }
      }
    ),
    (
      ["padding", "pd"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(4)
        let top = try arguments.int(0, length)
        let right = try arguments.int(1, length) ?? top
        let bottom = try arguments.int(2, length) ?? top
        let left = try arguments.int(3, length) ?? right
        let padding = ImageOptions.Padding(top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0, left: left ?? 0)
        draft.options.padding = padding == ImageOptions.Padding(top: 0, right: 0, bottom: 0, left: 0) ? nil : padding
      }
    ),
    (["auto_rotate", "ar"], one(\.autoRotates) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (
      ["rotate", "rot"],
      one(\.rotation) { (arguments) throws(ServingError) in
        guard let angle = try arguments.int(0, -360_000...360_000) else { return nil }
        guard angle.isMultiple(of: 90) else { throw arguments.error("\(angle) is no multiple of 90 degrees") }
        return (angle % 360 + 360) % 360
      }
    ),
    (
      ["flip", "fl"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(2)
        draft.options.flipsHorizontally = try arguments.bool(0) ?? false
        draft.options.flipsVertically = try arguments.bool(1) ?? false
      }
    ),
    (
      ["background", "bg"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(3)
        guard arguments.count == 3 else {
          try arguments.allow(1)
          draft.options.background = try arguments.color(0)
          return
        }
        let red = try arguments.int(0, 0...255) ?? 0
        let green = try arguments.int(1, 0...255) ?? 0
        let blue = try arguments.int(2, 0...255) ?? 0
        draft.options.background = .init(red8: UInt8(red), UInt8(green), UInt8(blue))
      }
    ),
    (
      ["background_alpha", "bga"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(1)
        draft.backgroundAlpha = try arguments.number(0, 0...1)
      }
    ),
  ]
}
