import Foundation
import NukeCodecs
import NukeImaging
import NukeServing

// What a worker is told of a request: all that decides about the file, and not where the source is from.
extension FieldCoder {
  mutating func code(_ options: inout ImageOptions) throws(MalformedFrame) {
    try codeSize(&options)
    try codeGeometry(&options)
    try codeEffects(&options)
    try codeFile(&options)
  }

  private mutating func codeSize(_ options: inout ImageOptions) throws(MalformedFrame) {
    try code(&options.resizing)
    try code(&options.width)
    try code(&options.height)
    try code(&options.minimumWidth)
    try code(&options.minimumHeight)
    try code(&options.zoom)
    try code(&options.dpr)
    try code(&options.enlarges)
    try code(&options.extend, blank: .init()) { (coder, gravity) throws(MalformedFrame) in try coder.code(&gravity) }
    try code(&options.extendAspectRatio, blank: .init()) { (coder, gravity) throws(MalformedFrame) in
      try coder.code(&gravity)
    }
    try code(&options.gravity)
  }

  private mutating func codeGeometry(_ options: inout ImageOptions) throws(MalformedFrame) {
    try code(&options.crop, blank: .init(width: 0, height: 0)) { (coder, crop) throws(MalformedFrame) in
      try coder.code(&crop.width)
      try coder.code(&crop.height)
      try coder.code(&crop.gravity, blank: .init()) { (coder, gravity) throws(MalformedFrame) in
        try coder.code(&gravity)
      }
    }
    try code(&options.trim, blank: .init(threshold: 0)) { (coder, trim) throws(MalformedFrame) in
      try coder.code(&trim.threshold)
      try coder.code(&trim.color, blank: .clear) { (coder, color) throws(MalformedFrame) in try coder.code(&color) }
      try coder.code(&trim.isEqualHorizontally)
      try coder.code(&trim.isEqualVertically)
    }
    try code(&options.padding, blank: .init(top: 0, right: 0, bottom: 0, left: 0)) {
      (coder, padding) throws(MalformedFrame) in
      try coder.code(&padding.top)
      try coder.code(&padding.right)
      try coder.code(&padding.bottom)
      try coder.code(&padding.left)
    }
    try code(&options.autoRotates)
    try code(&options.rotation)
    try code(&options.flipsHorizontally)
    try code(&options.flipsVertically)
    try code(&options.background, blank: .clear) { (coder, color) throws(MalformedFrame) in try coder.code(&color) }
  }

  private mutating func codeEffects(_ options: inout ImageOptions) throws(MalformedFrame) {
    try code(&options.blur)
    try code(&options.sharpen)
    try code(&options.pixelate)
    try code(&options.brightness)
    try code(&options.contrast)
    try code(&options.saturation)
    try code(&options.watermark, blank: .init(opacity: 0)) { (coder, mark) throws(MalformedFrame) in
      try coder.code(&mark.opacity)
      var (name, place) = mark.position.parts
      try coder.code(&name)
      try coder.code(&place)
      mark.position = try .init(name, place)
      try coder.code(&mark.offset)
      try coder.code(&mark.scale)
    }
  }

  private mutating func codeFile(_ options: inout ImageOptions) throws(MalformedFrame) {
    try codeOptional(&options.format)
    try code(&options.quality, blank: 0) { (coder, quality) throws(MalformedFrame) in try coder.code(&quality) }
    try code(&options.formatQuality)
    try code(&options.maximumBytes, blank: 0) { (coder, count) throws(MalformedFrame) in try coder.code(&count) }
    for flag in [\ImageOptions.isProgressive, \.stripsMetadata, \.keepsCopyright] {
      try code(&options[keyPath: flag], blank: false) { (coder, flag) throws(MalformedFrame) in try coder.code(&flag) }
    }
    var skipped = options.skippedFormats.sorted { $0.rawValue < $1.rawValue }
    try code(&skipped, blank: .jpeg) { (coder, format) throws(MalformedFrame) in try coder.code(&format) }
    options.skippedFormats = Set(skipped)
    try code(&options.isRaw)
    try code(&options.placeholder, blank: .blurHash) { (coder, kind) throws(MalformedFrame) in try coder.code(&kind) }
  }

  mutating func codeOptional(_ format: inout ImageFormat?) throws(MalformedFrame) {
    try code(&format, blank: .jpeg) { (coder, format) throws(MalformedFrame) in try coder.code(&format) }
  }

  mutating func code(_ qualities: inout [ImageFormat: Int]) throws(MalformedFrame) {
    var list = qualities.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    try code(&list, blank: (.jpeg, 0)) { (coder, entry) throws(MalformedFrame) in
      try coder.code(&entry.0)
      try coder.code(&entry.1)
    }
    qualities = Dictionary(list) { $1 }
  }

  private mutating func code(_ pair: inout ImageOptions.Pair) throws(MalformedFrame) {
    try code(&pair.x)
    try code(&pair.y)
  }

  private mutating func code(_ gravity: inout ImageOptions.Gravity) throws(MalformedFrame) {
    try code(&gravity.place)
    try code(&gravity.offset)
  }

  private mutating func code(_ color: inout Color) throws(MalformedFrame) {
    var parts = [color.red, color.green, color.blue, color.alpha].map { Double($0) }
    for index in parts.indices { try code(&parts[index]) }
    color = Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}

extension ImageOptions.Watermark.Position {
  /// The case's name, and the place that some have.
  fileprivate var parts: (String, ImageOptions.Gravity.Place) {
    switch self {
    case .at(let place): ("at", place)
    case .repeated: ("repeated", .center)
    case .chessboard: ("chessboard", .center)
    }
  }

  fileprivate init(_ name: String, _ place: ImageOptions.Gravity.Place) throws(MalformedFrame) {
    switch name {
    case "at": self = .at(place)
    case "repeated": self = .repeated
    case "chessboard": self = .chessboard
    default: throw MalformedFrame("a watermark's position is not known")
    }
  }
}
