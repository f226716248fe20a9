import NukeCodecs

extension ImageOptions.Draft {
  /// The options that decide how an image is encoded.
  static let files: Family = [
    several(["format", "f", "ext"], limit: 1) { (draft, arguments) throws(ServingError) in
      try draft.options.setFormat(arguments)
    },
    several(["autoquality", "aq"], limit: 5) { (draft, arguments) throws(ServingError) in
      draft.options.autoQuality = try autoQuality(arguments)
    },
    one(["quality", "q"], \.quality) { (arguments) throws(ServingError) in
      let quality = try arguments.int(0, 0...100)
      return quality == 0 ? nil : quality
    },
    several(["format_quality", "fq"]) { (draft, arguments) throws(ServingError) in
      guard arguments.count.isMultiple(of: 2) || arguments.texts.isEmpty else {
        throw arguments.error("each format needs a quality")
      }
      for index in stride(from: 0, to: arguments.count - 1, by: 2) {
        guard let format = try arguments.format(index), let quality = try arguments.int(index + 1, 0...100) else {
          throw arguments.error("each format needs a quality")
        }
        draft.options.formatQuality[format] = quality == 0 ? nil : quality
      }
    },
    one(["max_bytes", "mb"], \.maximumBytes, limit),
    several(["jpeg_options", "jpgo"], limit: 6) { (draft, arguments) throws(ServingError) in
      draft.options.isProgressive = arguments.bool(0)
      draft.options.chromaSubsampling[.jpeg] = arguments.bool(1).map { $0 ? .yuv444 : .yuv420 }
      // Options of mozjpeg.
      for index in 2..<5 where arguments.bool(index) == true {
        throw arguments.error("trellis_quant, overshoot_deringing and optimize_scans are not available")
      }
      guard try arguments.int(5, 0...8) ?? 0 == 0 else { throw arguments.error("quant_table can only be 0") }
    },
    several(["png_options", "pngo"], limit: 3) { (draft, arguments) throws(ServingError) in
      guard arguments.bool(0) != true else { throw arguments.error("PNG is never interlaced") }
      let colors = try arguments.int(2, 2...256) ?? 256
      draft.options.maximumColorCount = arguments.bool(1).map { $0 ? colors : 0 }
    },
    several(["webp_options", "webpo"], limit: 3) { (draft, arguments) throws(ServingError) in
      switch arguments.text(0) {
      case nil: draft.options.isLosslessWebP = nil
      case "lossy": draft.options.isLosslessWebP = false
      case "lossless": draft.options.isLosslessWebP = true
      default: throw arguments.error("the compression must be lossy or lossless")
      }
      guard arguments.bool(1) != true else { throw arguments.error("smart_subsample is not available") }
      guard arguments.text(2) ?? "default" == "default" else { throw arguments.error("the preset can only be default") }
    },
    several(["avif_options", "avifo"], limit: 1) { (draft, arguments) throws(ServingError) in
      switch arguments.text(0) {
      case nil, "auto": draft.options.chromaSubsampling[.avif] = nil
      case "on": draft.options.chromaSubsampling[.avif] = .yuv420
      case "off": draft.options.chromaSubsampling[.avif] = .yuv444
      default: throw arguments.error("the subsampling must be auto, on or off")
      }
    },
    one(["strip_metadata", "sm"], \.stripsMetadata) { (arguments) throws(ServingError) in arguments.bool(0) },
    one(["keep_copyright", "kcr"], \.keepsCopyright) { (arguments) throws(ServingError) in arguments.bool(0) },
    one(["dpi"], \.pixelsPerInch) { (arguments) throws(ServingError) in
      let dpi = try arguments.number(0, 0...65_535) ?? 0
      guard dpi == 0 || dpi >= 1 else { throw arguments.error("a resolution is at least 1") }
      return dpi == 0 ? nil : dpi
    },
    several(["strip_color_profile", "scp"], limit: 1) { (_, arguments) throws(ServingError) in
      // Pixels are converted to sRGB in any case.
      _ = arguments.bool(0)
    },
    several(["preserve_hdr", "ph"], limit: 1) { (_, arguments) throws(ServingError) in
      guard arguments.bool(0) != true else { throw arguments.error("results have eight bits a channel") }
    },
    several(["skip_processing", "skp"]) { (draft, arguments) throws(ServingError) in
      for index in 0..<arguments.count {
        if let format = try arguments.format(index) { draft.options.skippedFormats.insert(format) }
      }
    },
    one(["raw"], \.isRaw) { (arguments) throws(ServingError) in arguments.bool(0) },
    one(["placeholder"], \.placeholder) { (arguments) throws(ServingError) in try arguments.choice(0) },
  ]
}

extension ImageOptions {
  /// Sets the format, or all formats of which the best is to be chosen.
  mutating func setFormat(_ arguments: OptionArguments) throws(ServingError) {
    let isBest = arguments.text(0) == "best"
    format = isBest ? nil : try arguments.format(0)
    bestFormats = isBest ? [] : nil
  }
}

extension ImageOptions.Draft {
  private enum Method: String, CaseIterable {
    case none, size, ssim, dssim
  }

  private static func autoQuality(
    _ arguments: OptionArguments
  ) throws(ServingError) -> ImageOptions.AutoQuality? {
    let method: Method = try arguments.choice(0) ?? .none
    if method == .none { return nil }
    let goal: ImageOptions.AutoQuality.Goal
    switch method {
    case .size:
      guard let bytes = try arguments.int(1, 1...Int(Int32.max)) else { throw arguments.error("the size is missing") }
      goal = .size(bytes)
    case .ssim: goal = .similarity(try arguments.number(1, 0...1) ?? 0.98)
    case .none, .dssim: goal = .similarity(1 - 2 * (try arguments.number(1, 0...1) ?? 0.02))
    }
    let lowest = try arguments.int(2, 0...100) ?? 0
    let highest = try arguments.int(3, 0...100) ?? 0
    let qualities = (lowest: max(lowest, 1), highest: highest == 0 ? 100 : highest)
    guard qualities.lowest <= qualities.highest else {
      throw arguments.error("the minimum quality exceeds the maximum quality")
    }
    let tolerance = try arguments.number(4, 0...1) ?? 0.001
    return ImageOptions.AutoQuality(
      goal, qualities: qualities.lowest...qualities.highest,
      // Structural dissimilarity has half the range.
      tolerance: method == .dssim ? 2 * tolerance : tolerance)
  }
}

extension ImageOptions.Draft {
  /// The options that limit the source and the result.
  static let limits: Family = [
    one(["max_src_resolution", "msr"], \.limits.sourcePixels, pixels),
    one(["max_src_file_size", "msfs"], \.limits.sourceBytes, signedLimit),
    one(["max_animation_frames", "maf"], \.limits.frames, limit),
    one(["max_animation_frame_resolution", "mafr"], \.limits.framePixels, pixels),
    several(["hashsum", "hs"], limit: 2) { (draft, arguments) throws(ServingError) in
      draft.options.sourceHash = try sourceHash(arguments)
    },
    one(["max_result_dimension", "mrd"], \.limits.resultSide, signedLimit),
  ]

  private static func sourceHash(_ arguments: OptionArguments) throws(ServingError) -> SourceHash? {
    guard let name = arguments.text(0), name != "none" else { return nil }
    #if Server
      guard let algorithm: SourceHash.Algorithm = try arguments.choice(0) else { return nil }
      guard let bytes = PercentEncoding.bytes(hexadecimal: arguments.text(1) ?? ""),
        let hash = SourceHash(algorithm, bytes)
      else { throw arguments.error("\(name) has \(2 * algorithm.byteCount) hexadecimal digits") }
      return hash
    #else
      throw arguments.error("this build was made without the trait Server")
    #endif
  }

  /// A limit; 0 for none.
  private static func limit(_ arguments: OptionArguments) throws(ServingError) -> Int?? {
    try arguments.int(0, 0...Int(Int32.max)).map { $0 == 0 ? nil : $0 }
  }

  /// A limit; 0 and negative numbers for none.
  private static func signedLimit(_ arguments: OptionArguments) throws(ServingError) -> Int?? {
    try arguments.int(0, -Int(Int32.max)...Int(Int32.max)).map { $0 <= 0 ? nil : $0 }
  }

  /// A number of pixels, given in megapixels; 0 for no limit.
  private static func pixels(_ arguments: OptionArguments) throws(ServingError) -> Int?? {
    try arguments.number(0, 0...1_000_000).map { $0 == 0 ? nil : Int(($0 * 1_000_000).rounded()) }
  }
}

extension ImageOptions.Draft {
  /// The options for the response.
  static let response: Family = [
    one(["expires", "exp"], \.expires) { (arguments) throws(ServingError) in
      let moment = try arguments.int(0, Int(Int64.min)...Int(Int64.max))
      return moment ?? 0 <= 0 ? nil : moment
    },
    several(["filename", "fn"], limit: 2) { (draft, arguments) throws(ServingError) in
      guard let text = arguments.text(0) else { return draft.options.filename = nil }
      guard arguments.bool(1) ?? false else { return draft.options.filename = text }
      draft.options.filename = try arguments.base64(0)
    },
    one(["fallback_image_url", "fiu"], \.fallbackSource) { (arguments) throws(ServingError) in
      try arguments.base64(0)
    },
    one(["return_attachment", "att"], \.isAttachment) { (arguments) throws(ServingError) in arguments.bool(0) },
    several(["cache_tags", "ct"], limit: mostTags) { (draft, arguments) throws(ServingError) in
      draft.options.cacheTags = try tags(arguments)
    },
    one(["cachebuster", "cb"], \.cacheBuster) { arguments in arguments.text(0) },
  ]

  /// The maximum number of tags, and of bytes of each.
  private static let mostTags = 32
  private static let longestTag = 128

  /// Tags are written into header fields, separated by commas.
  private static func tags(_ arguments: OptionArguments) throws(ServingError) -> [String] {
    for tag in arguments.texts {
      guard tag.utf8.count <= longestTag, tag.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") })
      else {
        throw arguments.error("a tag has up to \(longestTag) ASCII characters, without spaces, commas and controls")
      }
    }
    return arguments.texts
  }
}
