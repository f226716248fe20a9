extension ImageOptions.Draft {
  static let length = 0...Int(OptionArguments.longest)

  /// The options for the size of an image.
  static let sizes: Family = [
    several(["resize", "rs"], limit: 8) { (draft, arguments) throws(ServingError) in
      if let type: ImageOptions.Resizing = try arguments.choice(0) { draft.options.resizing = type }
      try draft.setSize(arguments, from: 1)
    },
    several(["size", "s"], limit: 7) { (draft, arguments) throws(ServingError) in
      try draft.setSize(arguments, from: 0)
    },
    one(["resizing_type", "rt"], \.resizing) { (arguments) throws(ServingError) in try arguments.choice(0) },
    one(["width", "w"], \.width, side),
    one(["height", "h"], \.height, side),
    one(["min-width", "min_width", "mw"], \.minimumWidth, side),
    one(["min-height", "min_height", "mh"], \.minimumHeight, side),
    several(["zoom", "z"], limit: 2) { (draft, arguments) throws(ServingError) in
      let x = try arguments.number(0, 0.001...100) ?? 1
      draft.options.zoom = ImageOptions.Pair(x, try arguments.number(1, 0.001...100) ?? x)
    },
    one(["dpr"], \.dpr) { (arguments) throws(ServingError) in try arguments.number(0, 0.01...100) },
    one(["enlarge", "el"], \.enlarges) { (arguments) throws(ServingError) in arguments.bool(0) },
    several(["extend", "ex"], limit: 4) { (draft, arguments) throws(ServingError) in
      draft.options.extend = try extend(arguments, from: 0, earlier: draft.options.extend)
    },
    several(["extend_aspect_ratio", "extend_ar", "exar"], limit: 4) { (draft, arguments) throws(ServingError) in
      draft.options.extendAspectRatio = try extend(arguments, from: 0, earlier: draft.options.extendAspectRatio)
    },
  ]

  static func side(_ arguments: OptionArguments) throws(ServingError) -> Int? { try arguments.int(0, length) }

  /// Sets the width, the height, enlarging and extending. Missing arguments leave the values unchanged.
  private mutating func setSize(_ arguments: OptionArguments, from index: Int) throws(ServingError) {
    if let width = try arguments.int(index, Self.length) { options.width = width }
    if let height = try arguments.int(index + 1, Self.length) { options.height = height }
    if let enlarges = arguments.bool(index + 2) { options.enlarges = enlarges }
    let isExtendNamed = arguments.bool(index + 3) != nil
    let extend = try Self.extend(arguments, from: index + 3, earlier: options.extend)
    if isExtendNamed { options.extend = extend }
  }

  private static func extend(
    _ arguments: OptionArguments, from index: Int, earlier: ImageOptions.Gravity?
  ) throws(ServingError) -> ImageOptions.Gravity? {
    let isExtended = arguments.bool(index) ?? false
    let gravity = try arguments.gravity(index + 1, allowsSmart: false, earlier: earlier)
    return isExtended ? gravity ?? earlier ?? ImageOptions.Gravity() : nil
  }
}
