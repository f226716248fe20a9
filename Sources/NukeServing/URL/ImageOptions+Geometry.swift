extension ImageOptions.Draft {
  /// The options for pages, the frame of a video, cropping, orientation, and the area around an image.
  static let geometry: Family = [
    several(["gravity", "g"], limit: 3) { (draft, arguments) throws(ServingError) in
      draft.options.gravity =
        try arguments.gravity(0, earlier: draft.options.gravity) ?? ImageOptions.Gravity()
    },
    one(["video_thumbnail_second", "vts"], \.videoSecond) { (arguments) throws(ServingError) in
      try arguments.number(0, 0...1_000_000)
    },
    several(["video_thumbnail_tile", "vtt"], limit: 10) { (draft, arguments) throws(ServingError) in
      draft.options.videoFrames = try videoFrames(arguments) { (columns, rows) in
        guard columns * rows <= mostVideoFrames else { return nil }
        return .tiles(columns: columns, rows: rows)
      }
    },
    several(["video_thumbnail_animation", "vta"], limit: 10) { (draft, arguments) throws(ServingError) in
      draft.options.videoFrames = try videoFrames(arguments) { (delay, count) in
        guard count <= mostVideoFrames else { return nil }
        return .animation(count: count, delay: delay)
      }
    },
    one(["page", "pg"], \.page) { (arguments) throws(ServingError) in try arguments.int(0, 0...Int(Int32.max)) },
    one(["pages", "pgs"], \.pageCount) { (arguments) throws(ServingError) in try arguments.int(0, 1...Int(Int32.max)) },
    one(["disable_animation", "da"], \.disablesAnimation) { (arguments) throws(ServingError) in arguments.bool(0) },
    one(["enforce_thumbnail", "eth"], \.usesThumbnail) { (arguments) throws(ServingError) in arguments.bool(0) },
    several(["crop", "c"], limit: 5) { (draft, arguments) throws(ServingError) in
      let width = try arguments.number(0, 0...OptionArguments.longest) ?? 0
      let height = try arguments.number(1, 0...OptionArguments.longest) ?? 0
      let earlier = draft.options.crop?.gravity
      let gravity = try arguments.gravity(2, earlier: earlier) ?? earlier
      draft.options.crop =
        width == 0 && height == 0 ? nil : ImageOptions.Crop(width: width, height: height, gravity: gravity)
    },
    several(["crop_aspect_ratio", "crop_ar", "car"], limit: 2) { (draft, arguments) throws(ServingError) in
      let ratio = try arguments.number(0, 0...10_000) ?? 0
      let enlarges = arguments.bool(1) ?? false
      guard ratio == 0 || ratio >= 0.0001 else { throw arguments.error("the aspect ratio is less than 0.0001") }
      draft.options.cropAspectRatio = ratio == 0 ? nil : .init(ratio, enlarges: enlarges)
    },
    several(["trim", "t", "tr"], limit: 4) { (draft, arguments) throws(ServingError) in
      let color = try arguments.color(1)
      let earlier = draft.options.trim
      let isEqualHorizontally = arguments.bool(2) ?? earlier?.isEqualHorizontally ?? false
      let isEqualVertically = arguments.bool(3) ?? earlier?.isEqualVertically ?? false
      draft.options.trim = try arguments.number(0, 0...255).map {
        ImageOptions.Trim(
          threshold: $0, color: color, isEqualHorizontally: isEqualHorizontally, isEqualVertically: isEqualVertically)
      }
    },
    several(["padding", "pd"], limit: 4) { (draft, arguments) throws(ServingError) in
      let top = try arguments.int(0, length)
      let right = try arguments.int(1, length) ?? top
      let bottom = try arguments.int(2, length) ?? top
      let left = try arguments.int(3, length) ?? right
      let padding = ImageOptions.Padding(top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0, left: left ?? 0)
      draft.options.padding = padding == ImageOptions.Padding(top: 0, right: 0, bottom: 0, left: 0) ? nil : padding
    },
    one(["auto_rotate", "ar"], \.autoRotates) { (arguments) throws(ServingError) in arguments.bool(0) },
    one(["rotate", "rot"], \.rotation) { (arguments) throws(ServingError) in
      guard let angle = try arguments.int(0, -360_000...360_000) else { return nil }
      guard angle.isMultiple(of: 90) else { throw arguments.error("\(angle) is not a multiple of 90 degrees") }
      return (angle % 360 + 360) % 360
    },
    several(["flip", "fl"], limit: 2) { (draft, arguments) throws(ServingError) in
      if let flips = arguments.bool(0) { draft.options.flipsHorizontally = flips }
      if let flips = arguments.bool(1) { draft.options.flipsVertically = flips }
    },
    several(["background", "bg"], limit: 3) { (draft, arguments) throws(ServingError) in
      guard arguments.count == 3 else {
        try arguments.allow(1)
        draft.options.background = try arguments.color(0)
        return
      }
      let red = try arguments.int(0, 0...255) ?? 0
      let green = try arguments.int(1, 0...255) ?? 0
      let blue = try arguments.int(2, 0...255) ?? 0
      draft.options.background = .init(red8: UInt8(red), UInt8(green), UInt8(blue))
    },
    several(["background_alpha", "bga"], limit: 1) { (draft, arguments) throws(ServingError) in
      draft.backgroundAlpha = try arguments.number(0, 0...1)
    },
  ]

  /// The maximum number of frames of a video in one result.
  private static let mostVideoFrames = 256

  /// - Parameter arrangement: returns the arrangement for the second and the third argument; `nil` for too many frames.
  private static func videoFrames(
    _ arguments: OptionArguments, _ arrangement: (Int, Int) -> ImageOptions.VideoFrames.Arrangement?
  ) throws(ServingError) -> ImageOptions.VideoFrames? {
    let step = try arguments.number(0, -1_000_000...1_000_000) ?? 0
    let first = try arguments.int(1, 0...60_000) ?? 0
    let second = try arguments.int(2, 0...60_000) ?? 0
    let (width, height) = (try arguments.int(3, length) ?? 0, try arguments.int(4, length) ?? 0)
    let (x, y) = (try arguments.number(8, 0...1) ?? 0.5, try arguments.number(9, 0...1) ?? 0.5)
    guard step != 0 else { return nil }
    guard first > 0, second > 0 else { throw arguments.error("the second and the third argument are at least 1") }
    guard let arrangement = arrangement(first, second) else {
      throw arguments.error("there are at most \(mostVideoFrames) frames")
    }
    var frames = ImageOptions.VideoFrames(arrangement, step: step < 0 ? -1 : step, width: width, height: height)
    frames.extends = arguments.bool(5) ?? false
    frames.trims = arguments.bool(6) ?? false
    frames.fills = arguments.bool(7) ?? false
    // Without an effect otherwise.
    if frames.fills { frames.focus = .init(x, y) }
    return frames
  }
}
