import Foundation
import NukeBase
import NukeImaging

extension ImageOptions {
  /// Creates the options of a URL. If two options set the same value, the later one takes precedence.
  ///
  /// - Parameters:
  ///   - options: the options in the order of the URL.
  ///   - presets: the server's presets. The preset "default" is applied before the options of every URL.
  ///   - defaults: the values of options that neither the URL nor a preset sets.
  /// - Throws: ``ServingError/invalidOption(_:_:)`` with the name of the option.
  public init(
    _ options: [ImageOption], presets: ImagePresets = ImagePresets(), defaults: ImageOptions = ImageOptions()
  ) throws(ServingError) {
    self.init()
    var draft = Draft(defaults)
    if let preset = presets["default"] { try draft.apply(preset, presets, within: ["default"]) }
    try draft.apply(options, presets)
    self = draft.finished
  }

  /// The options while they are parsed.
  struct Draft {
    var options: ImageOptions
    /// The values of options that nothing has set.
    let defaults: ImageOptions
    /// The opacity of the background. It applies whether it comes before or after the color.
    var backgroundAlpha: Double?
    private var presetCount = 0

    /// The maximum number of presets that are applied to a URL. Presets can contain each other, so that a few of them
    /// would multiply without end.
    static let presetLimit = 10_000

    init(_ defaults: ImageOptions = ImageOptions()) { (options, self.defaults) = (defaults, defaults) }

    var finished: ImageOptions {
      var finished = options
      if let backgroundAlpha { finished.background = options.background?.withAlphaComponent(backgroundAlpha) }
      return finished
    }

    /// - Parameter outer: the presets that contain the list. They are not applied again within themselves.
    mutating func apply(
      _ list: [ImageOption], _ presets: ImagePresets, within outer: [String] = []
    ) throws(ServingError) {
      for option in list {
        let arguments = OptionArguments(option)
        if option.name == "pr" || option.name == "preset" {
          for name in arguments.texts {
            let inner = try presets.options(of: name, in: option)
            if outer.contains(name) { continue }
            presetCount += 1
            guard presetCount <= Self.presetLimit else {
              throw arguments.error("the presets contain each other more than \(Self.presetLimit) times")
            }
            try apply(inner, presets, within: outer + [name])
          }
        } else if let read = Self.readers[option.name] {
          try read(&self, arguments)
        } else {
          throw arguments.error(
            "there is no such option" + (presets.hint(for: option.name) ?? Self.suggestion(for: option.name)))
        }
      }
    }

    /// Returns a similar name for the error of an unknown option; empty if there is none. Short names are similar to
    /// many others.
    private static func suggestion(for name: String) -> String {
      guard (4...32).contains(name.count) else { return "" }
      let distances = longNames.keys.map { (name: $0, distance: $0.editDistance(to: name)) }
      let nearest = distances.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
      guard let nearest, nearest.distance <= 2, nearest.name.count >= 4 else { return "" }
      return "; a similar one is \(nearest.name)"
    }
  }

  /// Reads the arguments of one option.
  typealias Reader = @Sendable (inout Draft, OptionArguments) throws(ServingError) -> Void
}

extension ImageOptions.Draft {
  /// The readers of all options, by every name of each option.
  static let readers: [String: ImageOptions.Reader] = {
    var readers: [String: ImageOptions.Reader] = [:]
    for (names, reader) in families {
      for name in names { readers[name] = reader }
    }
    return readers
  }()

  /// The first name of each option, by every name.
  static let longNames: [String: String] = {
    var longNames = ["preset": "preset", "pr": "preset"]
    for (names, _) in families {
      for name in names { longNames[name] = names[0] }
    }
    return longNames
  }()

  private static let families = sizes + geometry + effects + files + limits + response

  /// A group of options: the names of each, and the function that reads it.
  typealias Family = [(names: [String], reader: ImageOptions.Reader)]

  /// Returns a reader for an option with one argument. A missing argument resets the default.
  static func one<Value>(
    _ names: [String], _ field: any WritableKeyPath<ImageOptions, Value> & Sendable,
    _ read: @escaping @Sendable (OptionArguments) throws(ServingError) -> Value?
  ) -> Family.Element {
    several(names, limit: 1) { (draft, arguments) throws(ServingError) in
      draft.options[keyPath: field] = try read(arguments) ?? draft.defaults[keyPath: field]
    }
  }

  /// Returns a reader for an option with at most `limit` arguments.
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
