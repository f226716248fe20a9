import NukeCodecs
import NukeImaging

extension ImageOptions {
  /// The options without those that affect only the response. The cache buster remains, because a new one requests the
  /// file of a source that may have changed.
  package var ofFile: ImageOptions {
    if expires == nil, filename == nil, isAttachment == nil, fallbackSource == nil, cacheTags.isEmpty { return self }
    var options = self
    options.expires = nil
    options.filename = nil
    options.isAttachment = nil
    options.fallbackSource = nil
    options.cacheTags = []
    return options
  }

  /// The canonical text of all options that affect the file, except its format. Two sets of options are equal exactly
  /// if their texts are equal. Options with default values are left out, so that a new option does not change existing
  /// keys.
  package var canonicalText: String {
    var text = CanonicalText()
    addPixels(to: &text)
    addFile(to: &text)
    return text.text
  }

  /// The canonical text of all options that affect the pixels.
  var pixelText: String {
    var text = CanonicalText()
    addPixels(to: &text)
    return text.text
  }

  private static let plain = ImageOptions()

  private func addPixels(to text: inout CanonicalText) {
    addSize(to: &text, Self.plain)
    addGeometry(to: &text, Self.plain)
    addEffects(to: &text, Self.plain)
  }

  private func addSize(to text: inout CanonicalText, _ plain: ImageOptions) {
    if resizing != plain.resizing { text.add("rt", resizing.rawValue) }
    if width != plain.width { text.add("w", width) }
    if height != plain.height { text.add("h", height) }
    if minimumWidth != plain.minimumWidth { text.add("mw", minimumWidth) }
    if minimumHeight != plain.minimumHeight { text.add("mh", minimumHeight) }
    if zoom != plain.zoom { text.add("z", zoom.x, zoom.y) }
    if dpr != plain.dpr { text.add("dpr", dpr) }
    if enlarges != plain.enlarges { text.add("el", enlarges) }
    if let extend { text.add("ex", extend) }
    if let extendAspectRatio { text.add("exar", extendAspectRatio) }
    if gravity != plain.gravity { text.add("g", gravity) }
  }

  private func addGeometry(to text: inout CanonicalText, _ plain: ImageOptions) {
    if let crop {
      text.add("c", crop.width, crop.height)
      if let gravity = crop.gravity { text.add("cg", gravity) }
    }
    if let cropAspectRatio { text.add("car", cropAspectRatio.ratio, cropAspectRatio.enlarges) }
    if let trim {
      text.add("t", trim.threshold)
      if let color = trim.color { text.add("tc", color) }
      if trim.isEqualHorizontally || trim.isEqualVertically {
        text.add("te", trim.isEqualHorizontally, trim.isEqualVertically)
      }
    }
    if let padding { text.add("pd", padding.top, padding.right, padding.bottom, padding.left) }
    if autoRotates != plain.autoRotates { text.add("ar", autoRotates) }
    if rotation != plain.rotation { text.add("rot", rotation) }
    if flipsHorizontally || flipsVertically { text.add("fl", flipsHorizontally, flipsVertically) }
    if let background { text.add("bg", background) }
    if videoSecond != plain.videoSecond { text.add("vts", videoSecond) }
    if let videoFrames { addVideoFrames(videoFrames, to: &text) }
    if page != plain.page { text.add("pg", page) }
    if pageCount != plain.pageCount { text.add("pgs", pageCount) }
    if disablesAnimation != plain.disablesAnimation { text.add("da", disablesAnimation) }
    if let usesThumbnail { text.add("eth", usesThumbnail) }
  }

  private func addVideoFrames(_ frames: VideoFrames, to text: inout CanonicalText) {
    switch frames.arrangement {
    case .tiles(let columns, let rows): text.add("vtt", columns, rows)
    case .animation(let count, let delay): text.add("vta", count, delay)
    }
    text.add("vf", frames.step, frames.width, frames.height, frames.extends, frames.trims)
    if frames.fills { text.add("vff", frames.focus.x, frames.focus.y) }
  }

  private func addEffects(to text: inout CanonicalText, _ plain: ImageOptions) {
    if blur != plain.blur { text.add("bl", blur) }
    if sharpen != plain.sharpen { text.add("sh", sharpen) }
    if let unsharpMask { text.add("ush", unsharpMask.mode.rawValue, unsharpMask.weight, unsharpMask.divider) }
    if let blurAreas {
      text.add("ba", blurAreas.sigma)
      for area in blurAreas.areas { text.add("baa", area.x, area.y, area.width, area.height) }
    }
    if pixelate != plain.pixelate { text.add("pix", pixelate) }
    if brightness != plain.brightness { text.add("br", brightness) }
    if contrast != plain.contrast { text.add("co", contrast) }
    if saturation != plain.saturation { text.add("sa", saturation) }
    if let monochrome { text.add("mc", monochrome.intensity, monochrome.color) }
    if let duotone { text.add("dt", duotone.intensity, duotone.dark, duotone.light) }
    if let colorize { text.add("col", colorize.opacity, colorize.color, colorize.keepsAlpha) }
    if let gradient {
      text.add("gr", gradient.opacity, gradient.color, gradient.angle, gradient.start, gradient.stop)
    }
    if let watermark {
      text.add("wm", watermark.opacity, watermark.offset.x, watermark.offset.y, watermark.scale)
      text.add("wp", watermark.position)
    }
    if let watermarkText { text.add("wmt", PercentEncoding.encode(watermarkText)) }
    if watermarkWidth != 0 || watermarkHeight != 0 { text.add("wms", watermarkWidth, watermarkHeight) }
    if watermarkRotation != plain.watermarkRotation { text.add("wmr", watermarkRotation) }
    if watermarkShadow != plain.watermarkShadow { text.add("wmsh", watermarkShadow) }
    if let style { text.add("st", PercentEncoding.encode(style)) }
    // Percent-encoded, since it contains what separates options.
    if let watermarkSource { text.add("wmu", PercentEncoding.encode(watermarkSource)) }
  }

  private func addFile(to text: inout CanonicalText) {
    if let bestFormats { text.add("best", bestFormats.map(\.rawValue).joined(separator: "+")) }
    if let autoQuality {
      switch autoQuality.goal {
      case .size(let bytes): text.add("aqs", bytes)
      case .similarity(let similarity): text.add("aq", similarity)
      }
      text.add("aqr", autoQuality.qualities.lowerBound, autoQuality.qualities.upperBound, autoQuality.tolerance)
    }
    if let quality { text.add("q", quality) }
    for (format, quality) in formatQuality.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text.add("fq", format.rawValue, quality)
    }
    if let maximumBytes { text.add("mb", maximumBytes) }
    if let isProgressive { text.add("jpgo", isProgressive) }
    for (format, subsampling) in chromaSubsampling.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text.add("cs", format.rawValue, subsampling == .yuv420)
    }
    if let maximumColorCount { text.add("pngo", maximumColorCount) }
    if let isLosslessWebP { text.add("webpo", isLosslessWebP) }
    if let stripsMetadata { text.add("sm", stripsMetadata) }
    if let pixelsPerInch { text.add("dpi", pixelsPerInch) }
    if let keepsCopyright { text.add("kcr", keepsCopyright) }
    // A file is found only if its source had this hash.
    if let sourceHash { text.add("hs", sourceHash.algorithm.rawValue, PercentEncoding.hexadecimal(sourceHash.bytes)) }
    if let pixels = limits.sourcePixels { text.add("msr", pixels) }
    if let bytes = limits.sourceBytes { text.add("msfs", bytes) }
    if let frames = limits.frames { text.add("maf", frames) }
    if let pixels = limits.framePixels { text.add("mafr", pixels) }
    if let side = limits.resultSide { text.add("mrd", side) }
    // Not `skp`, the name in results of earlier versions, in which a negotiated format took precedence.
    for format in skippedFormats.map(\.rawValue).sorted() { text.add("skip", format) }
    if isRaw { text.add("raw", isRaw) }
    if let placeholder { text.add("ph", placeholder.rawValue) }
    // Percent-encoded, since it may contain what separates options.
    if let cacheBuster { text.add("cb", PercentEncoding.encode(cacheBuster)) }
  }
}

/// Writes options one after the other: `w:320/bl:1.5`.
private struct CanonicalText {
  private(set) var text = ""

  mutating func add(_ name: String, _ values: any CanonicalValue...) {
    if !text.isEmpty { text += "/" }
    text += name
    for value in values {
      text += ":"
      text += value.canonicalText
    }
  }
}

private protocol CanonicalValue {
  /// The canonical text, without slashes. It contains colons only if the number of parts is fixed.
  var canonicalText: String { get }
}

extension String: CanonicalValue {
  fileprivate var canonicalText: String { self }
}

extension Int: CanonicalValue {
  fileprivate var canonicalText: String { String(self) }
}

extension Bool: CanonicalValue {
  fileprivate var canonicalText: String { self ? "1" : "0" }
}

extension Double: CanonicalValue {
  /// The shortest digits that parse to the same number. -0 is written as 0.
  fileprivate var canonicalText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}

extension ImageOptions.Gravity: CanonicalValue {
  fileprivate var canonicalText: String {
    "\(place.rawValue):\(offset.x.canonicalText):\(offset.y.canonicalText)"
  }
}

extension ImageOptions.Watermark.Position: CanonicalValue {
  fileprivate var canonicalText: String {
    switch self {
    case .at(let place): place.rawValue
    case .repeated: "re"
    case .chessboard: "ch"
    }
  }
}

extension Color: CanonicalValue {
  /// The components, unrounded: two colors with the same hexadecimal form can render differently.
  fileprivate var canonicalText: String {
    [red, green, blue, alpha].map { Double($0).canonicalText }.joined(separator: ",")
  }
}
