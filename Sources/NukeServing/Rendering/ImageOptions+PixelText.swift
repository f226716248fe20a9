import NukeImaging

extension ImageOptions {
  /// A text of everything that decides the pixels. Equal texts mean equal pixels of one source; it is short if few
  /// options are set.
  var pixelText: String {
    var parts: [String] = []
    let usual = ImageOptions()
    func add<Value: Equatable>(_ name: String, _ value: KeyPath<ImageOptions, Value>, _ text: (Value) -> String) {
      if self[keyPath: value] != usual[keyPath: value] { parts.append(name + ":" + text(self[keyPath: value])) }
    }
    add("rt", \.resizing) { $0.rawValue }
    add("w", \.width) { "\($0)" }
    add("h", \.height) { "\($0)" }
    add("mw", \.minimumWidth) { "\($0)" }
    add("mh", \.minimumHeight) { "\($0)" }
    add("z", \.zoom) { $0.text }
    add("dpr", \.dpr) { "\($0)" }
    add("el", \.enlarges) { "\($0)" }
    add("ex", \.extend) { $0?.text ?? "" }
    add("exar", \.extendAspectRatio) { $0?.text ?? "" }
    add("g", \.gravity) { $0.text }
    add("c", \.crop) { crop in crop.map { "\($0.width):\($0.height):\($0.gravity?.text ?? "")" } ?? "" }
    add("t", \.trim) { trim in
      trim.map { "\($0.threshold):\($0.color?.hex ?? ""):\($0.isEqualHorizontally):\($0.isEqualVertically)" } ?? ""
    }
    add("pd", \.padding) { padding in
      padding.map { "\($0.top):\($0.right):\($0.bottom):\($0.left)" } ?? ""
    }
    add("ar", \.autoRotates) { "\($0)" }
    add("rot", \.rotation) { "\($0)" }
    add("flh", \.flipsHorizontally) { "\($0)" }
    add("flv", \.flipsVertically) { "\($0)" }
    add("bg", \.background) { $0?.hex ?? "" }
    add("bl", \.blur) { "\($0)" }
    add("sh", \.sharpen) { "\($0)" }
    add("pix", \.pixelate) { "\($0)" }
    add("br", \.brightness) { "\($0)" }
    add("co", \.contrast) { "\($0)" }
    add("sa", \.saturation) { "\($0)" }
    add("wm", \.watermark) { watermark in
      watermark.map { "\($0.opacity):\($0.position.text):\($0.offset.text):\($0.scale)" } ?? ""
    }
    return parts.joined(separator: "/")
  }
}

extension ImageOptions.Pair {
  fileprivate var text: String { "\(x):\(y)" }
}

extension ImageOptions.Gravity {
  fileprivate var text: String { "\(place.rawValue):\(offset.text)" }
}

extension ImageOptions.Watermark.Position {
  fileprivate var text: String {
    switch self {
    case .at(let place): place.rawValue
    case .repeated: "re"
    case .chessboard: "ch"
    }
  }
}
