extension ImageOptions.Draft {
  static let length = 0...Int(OptionArguments.longest)

  /// What decides how large a picture comes out.
  static let sizes: Family = [
    (
      ["resize", "rs"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(8)
        draft.options.resizing = try arguments.choice(0) ?? .fit
        try draft.setSize(arguments, from: 1)
      }
    ),
    (
      ["size", "s"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(7)
        try draft.setSize(arguments, from: 0)
      }
    ),
    (["resizing_type", "rt"], one(\.resizing) { (arguments) throws(ServingError) in try arguments.choice(0) }),
    (["width", "w"], one(\.width) { (arguments) throws(ServingError) in try arguments.int(0, length) }),
    (["height", "h"], one(\.height) { (arguments) throws(ServingError) in try arguments.int(0, length) }),
    (
      ["min-width", "min_width", "mw"],
      one(\.minimumWidth) { (arguments) throws(ServingError) in
        try arguments.int(0, length)
      }
    ),
    (
      ["min-height", "min_height", "mh"],
      one(\.minimumHeight) { (arguments) throws(ServingError) in
        try arguments.int(0, length)
      }
    ),
    (
      ["zoom", "z"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(2)
        let x = try arguments.number(0, 0.001...100) ?? 1
        draft.options.zoom = ImageOptions.Pair(x, try arguments.number(1, 0.001...100) ?? x)
      }
    ),
    (["dpr"], one(\.dpr) { (arguments) throws(ServingError) in try arguments.number(0, 0.01...10) }),
    (["enlarge", "el"], one(\.enlarges) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (
      ["extend", "ex"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(4)
        draft.options.extend = try extend(arguments, from: 0)
      }
    ),
    (
      ["extend_aspect_ratio", "extend_ar", "exar"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(4)
        draft.options.extendAspectRatio = try extend(arguments, from: 0)
      }
    ),
  ]

  /// Width, height, whether to enlarge, and whether and where to extend.
  private mutating func setSize(_ arguments: OptionArguments, from index: Int) throws(ServingError) {
    options.width = try arguments.int(index, Self.length) ?? 0
    options.height = try arguments.int(index + 1, Self.length) ?? 0
    options.enlarges = try arguments.bool(index + 2) ?? false
    options.extend = try Self.extend(arguments, from: index + 3)
  }

  private static func extend(
    _ arguments: OptionArguments, from index: Int
  ) throws(ServingError) -> ImageOptions.Gravity? {
    let isExtended = try arguments.bool(index) ?? false
    let gravity = try arguments.gravity(index + 1, allowsSmart: false)
    return isExtended ? gravity ?? ImageOptions.Gravity() : nil
  }
}
