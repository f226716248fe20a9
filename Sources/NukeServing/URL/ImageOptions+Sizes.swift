extension ImageOptions.Draft {
  static let length = 0...Int(OptionArguments.longest)

  /// The options for the size of an image.
  static let sizes: Family = [
    (
      ["resize", "rs"],
      { (draft, arguments) throws(ServingError) in
        try arguments.allow(8)
        if let type: ImageOptions.Resizing = try arguments.choice(0) { draft.options.resizing = type }
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

  /// Width, height, whether to enlarge, and whether and where to extend. What is not named stays as it is.
  private mutating func setSize(_ arguments: OptionArguments, from index: Int) throws(ServingError) {
    if let width = try arguments.int(index, Self.length) { options.width = width }
    if let height = try arguments.int(index + 1, Self.length) { options.height = height }
    if let enlarges = try arguments.bool(index + 2) { options.enlarges = enlarges }
    let isExtendNamed = try arguments.bool(index + 3) != nil
    let extend = try Self.extend(arguments, from: index + 3)
    if isExtendNamed { options.extend = extend }
  }

  private static func extend(
    _ arguments: OptionArguments, from index: Int
  ) throws(ServingError) -> ImageOptions.Gravity? {
    let isExtended = try arguments.bool(index) ?? false
    let gravity = try arguments.gravity(index + 1, allowsSmart: false)
    return isExtended ? gravity ?? ImageOptions.Gravity() : nil
  }
}
