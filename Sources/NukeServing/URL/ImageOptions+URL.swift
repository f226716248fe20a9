import Foundation
import NukeImaging

extension ImageOptions {
  /// Creates the options of a URL. Of two that set the same, the later one counts.
  ///
  /// - Parameters:
  ///   - options: in the order of the URL.
  ///   - presets: the server's own, among them "default", which every URL begins with.
  /// - Throws: ``ServingError/invalidOption(_:_:)``, which names the option.
  public init(_ options: [ImageOption], presets: ImagePresets = ImagePresets()) throws(ServingError) {
    self.init()
    var draft = Draft()
    if let preset = presets["default"] { try draft.apply(preset, presets) }
    try draft.apply(options, presets)
    self = draft.finished
  }

  /// Options while they are being read.
  struct Draft {
    var options = ImageOptions()
    /// Counts whatever comes first, the color or this.
    var backgroundAlpha: Double?

    var finished: ImageOptions {
      var finished = options
      if let backgroundAlpha { finished.background = options.background?.withAlphaComponent(backgroundAlpha) }
      return finished
    }

    mutating func apply(_ list: [ImageOption], _ presets: ImagePresets) throws(ServingError) {
      for option in list {
        let arguments = OptionArguments(option)
        if option.name == "pr" || option.name == "preset" {
          for name in arguments.texts { try apply(presets.options(of: name, in: option), presets) }
        } else if let read = Self.readers[option.name] {
          try read(&self, arguments)
        } else {
          throw arguments.error("it is not known")
        }
      }
    }
  }

  /// Reads the arguments of one option.
  typealias Reader = @Sendable (inout Draft, OptionArguments) throws(ServingError) -> Void
}

extension ImageOptions.Draft {
  /// By every name that an option has.
  static let readers: [String: ImageOptions.Reader] = {
    var readers: [String: ImageOptions.Reader] = [:]
    for (names, reader) in sizes + places + effects + files + answers {
      for name in names { readers[name] = reader }
    }
    return readers
  }()

  /// A family of options: the names of each, and what reads it.
  typealias Family = [(names: [String], reader: ImageOptions.Reader)]

  /// An option with one argument, which replaces the default.
  static func one<Value>(
    _ names: [String], _ field: any WritableKeyPath<ImageOptions, Value> & Sendable,
    _ read: @escaping @Sendable (OptionArguments) throws(ServingError) -> Value?
  ) -> Family.Element {
    several(names, limit: 1) { (draft, arguments) throws(ServingError) in
      draft.options[keyPath: field] = try read(arguments) ?? ImageOptions()[keyPath: field]
    }
  }

  /// An option with several arguments, at most `limit`.
  static func several(
    _ names: [String], limit: Int = .max, _ read: @escaping ImageOptions.Reader
  ) -> Family.Element {
    let reader: ImageOptions.Reader = { (draft, arguments) throws(ServingError) in
      try arguments.allow(limit)
      try read(&draft, arguments)
    }
    return (names, reader)
  }
}
