import NukeCodecs

extension ImageOptions.Draft {
  /// The options that decide how an image is encoded.
  static let files: Family = [
    (["format", "f", "ext"], one(\.format) { (arguments) throws(ServingError) in try arguments.format(0) }),
    (
      ["quality", "q"],
      one(\.quality) { (arguments) throws(ServingError) in
        let quality = try arguments.int(0, 0...100)
        return quality == 0 ? nil : quality
      }
    ),
    (
      ["format_quality", "fq"],
      { (draft, arguments) throws(ServingError) in
        guard arguments.count.isMultiple(of: 2) || arguments.texts.isEmpty else {
          throw arguments.error("each format needs a quality")
        }
        for index in stride(from: 0, to: arguments.count - 1, by: 2) {
          guard let format = try arguments.format(index), let quality = try arguments.int(index + 1, 1...100) else {
            throw arguments.error("each format needs a quality")
          }
          draft.options.formatQuality[format] = quality
        }
      }
    ),
    (
      ["max_bytes", "mb"],
      one(\.maximumBytes) { (arguments) throws(ServingError) in
        let bytes = try arguments.int(0, 0...Int(Int32.max))
        return bytes == 0 ? nil : bytes
      }
    ),
    (["jpeg_options", "jpgo"], one(\.isProgressive) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (["strip_metadata", "sm"], one(\.stripsMetadata) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (["keep_copyright", "kcr"], one(\.keepsCopyright) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (
      ["strip_color_profile", "scp"],
      { (_, arguments) throws(ServingError) in
        try arguments.allow(1)
        guard try arguments.bool(0) != false else { throw arguments.error("pixels are always converted to sRGB") }
      }
    ),
    (
      ["skip_processing", "skp"],
      { (draft, arguments) throws(ServingError) in
        for index in 0..<arguments.count {
          if let format = try arguments.format(index) { draft.options.skippedFormats.insert(format) }
        }
      }
    ),
    (["raw"], one(\.isRaw) { (arguments) throws(ServingError) in try arguments.bool(0) }),
    (["placeholder", "ph"], one(\.placeholder) { (arguments) throws(ServingError) in try arguments.choice(0) }),
  ]
}
