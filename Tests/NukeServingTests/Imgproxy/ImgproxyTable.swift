import NukeCodecs

/// What imgproxy 4 answers, worked out by hand from its documentation and, for rounding, from its source.
///
/// Settings are imgproxy's defaults, without keys, with `IMGPROXY_MAX_ANIMATION_FRAMES=250`.
///
/// Two roundings occur. Sizes are rounded to the nearest number, and halves up (166.5 is 167). Offsets and padding
/// are rounded to the nearest number, and halves to the even one (12.5 is 12, 17.5 is 18).
enum ImgproxyTable {
  static let rows: [ImgproxyRow] =
    fitting + filling + forcing + automatic + zooming + density + minimums + extending + aspectRatio + cropping
    + cropPlaces + fillPlaces + trimming + padding + orientation + turnedPixels + background + formats + drawings
    + animations + effects + quality + handling + syntax + repeated + booleans + invalid + sources

  // MARK: - Notes

  static let pro = "Only the documentation says this, as the source of imgproxy Pro is not public."
  static let bitmap = "PNG instead if the BMP has 32 bits per pixel with alpha."
  static let tag = "Stored size. imgproxy's source keeps the tag here; its documentation says it is removed."
  static let limit = "imgproxy scales the result down to the largest WebP, and we reject it."
  static let drawing = "imgproxy sends the file without scripts; we draw it unless --send-svg is set."

  // MARK: - Rows

  static func group(_ name: String, _ rows: [ImgproxyRow]) -> [ImgproxyRow] {
    rows.map { row in
      var row = row
      row.group = name
      return row
    }
  }

  /// An image; `to` is the ending of the source, and `as` the format if it is neither that nor the default.
  static func row(
    _ options: String, _ source: ImgproxySource, to ending: String? = nil, _ width: Int, _ height: Int,
    _ pixels: [ImgproxyPixel] = [], as format: ImageFormat? = nil, accept: String? = nil, note: String? = nil
  ) -> ImgproxyRow {
    ImgproxyRow(
      options: options, source: source, suffix: ending.map { "@" + $0 } ?? "", accept: accept, width: width,
      height: height, format: format ?? ending.flatMap { formatsByEnding[$0] } ?? source.resultFormat,
      pixels: pixels, note: note)
  }

  /// A status without an image that could be measured.
  static func failing(
    _ options: String, _ source: ImgproxySource, _ status: Int, note: String? = nil
  ) -> ImgproxyRow {
    ImgproxyRow(options: options, source: source, status: status, note: note)
  }

  /// An ending of the source that is not the name of a format.
  static func ending(
    _ suffix: String, _ source: ImgproxySource, _ status: Int, _ width: Int? = nil, _ height: Int? = nil,
    _ format: ImageFormat? = nil, _ options: String = ""
  ) -> ImgproxyRow {
    ImgproxyRow(
      options: options, source: source, suffix: suffix, status: status, width: width, height: height, format: format)
  }

  static func at(_ x: Int, _ y: Int, _ red: Int, _ green: Int, _ blue: Int = 0) -> ImgproxyPixel {
    ImgproxyPixel(x: x, y: y, red: red, green: green, blue: blue)
  }

  private static let formatsByEnding: [String: ImageFormat] = [
    "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "webp": .webp, "gif": .gif, "bmp": .bmp,
  ]
}
