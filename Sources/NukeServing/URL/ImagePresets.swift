/// Named lists of options. The preset "default" is applied before the options of every URL.
public struct ImagePresets: Sendable, Hashable {
  private var lists: [String: [ImageOption]] = [:]
  /// A message for the operator about each preset that contains itself.
  package private(set) var repetitions: [String] = []

  /// Creates an empty collection of presets.
  public init() {}

  /// Parses presets from options in URL syntax, separated by slashes, such as `["thumb": "rs:fill:96:96/q:70"]`.
  ///
  /// A preset is not applied again within itself.
  ///
  /// - Throws: ``ServingError`` for an invalid option and an unknown preset.
  public init(_ texts: [String: String]) throws(ServingError) {
    do throws(InvalidPreset) {
      try self.init(inOrder: texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    } catch {
      throw error.error
    }
  }

  /// Parses presets in a given order, and throws the first error. If two have the same name, the later one is used.
  package init(inOrder texts: [(name: String, options: String)]) throws(InvalidPreset) {
    for (name, text) in texts {
      do throws(ServingError) {
        lists[name] = try Self.options(of: name, text)
      } catch {
        throw InvalidPreset(preset: name, error: error)
      }
    }
    var checked: Set<String> = []
    for (name, _) in texts { try check(name, within: [], &checked) }
    // Presets that contain each other could be applied too often.
    for (name, _) in texts where !repetitions.isEmpty { try apply(lists[name] ?? [], of: name) }
  }

  /// An error, and the name of the preset that causes it.
  package struct InvalidPreset: Error, Sendable, Hashable {
    package let preset: String
    package let error: ServingError

    /// The name of the preset, and what is wrong with it.
    package var reason: String {
      // An error of the preset itself has its name in place of an option's.
      guard case .invalidOption(let option, let reason) = error, option.hasPrefix("preset") else {
        return "preset \"\(preset)\": \(error.publicMessage)"
      }
      return "preset \"\(preset)\": \(reason)"
    }
  }

  private static func options(of name: String, _ text: String) throws(ServingError) -> [ImageOption] {
    guard !name.isEmpty, !name.contains(where: { ":/=".contains($0) }) else {
      throw .invalidOption("preset", "\"\(name)\" is not a valid name of a preset")
    }
    return try ImageOption.list(text, of: "preset \(name)")
  }

  /// The names of all presets, sorted.
  public var names: [String] { lists.keys.sorted() }

  subscript(name: String) -> [ImageOption]? { lists[name] }

  /// Returns the end of an error about a name that is not that of an option: how to write the preset with this name;
  /// `nil` if there is none.
  func hint(for name: String) -> String? {
    lists[name].map { _ in "; write preset:\(name), or set only-presets on the server" }
  }

  func options(of name: String, in option: ImageOption) throws(ServingError) -> [ImageOption] {
    guard let list = lists[name] else {
      throw .invalidOption(option.name, "there is no preset \"\(name.prefix(40))\"")
    }
    return list
  }

  /// Checks that a preset contains only valid options and known presets, and records presets that contain themselves.
  ///
  /// - Parameters:
  ///   - outer: the presets that contain this one.
  ///   - checked: the presets that need no further check.
  private mutating func check(
    _ name: String, within outer: [String], _ checked: inout Set<String>
  ) throws(InvalidPreset) {
    guard !outer.contains(name) else {
      repetitions.append(
        "preset \"\(name)\" contains itself, through \(outer.joined(separator: ", ")): the repetition is ignored")
      return
    }
    guard checked.insert(name).inserted else { return }
    for option in lists[name] ?? [] {
      if option.name == "pr" || option.name == "preset" {
        for inner in option.arguments where !inner.isEmpty {
          guard lists[inner] != nil else {
            throw InvalidPreset(
              preset: name, error: .invalidOption("preset \(name)", "there is no preset \"\(inner)\""))
          }
          try check(inner, within: outer + [name], &checked)
        }
      } else {
        try apply([option], of: name)
      }
    }
  }

  /// Applies options of a preset, to find out whether they are valid.
  private func apply(_ options: [ImageOption], of name: String) throws(InvalidPreset) {
    do throws(ServingError) {
      var draft = ImageOptions.Draft()
      try draft.apply(options, self, within: [name])
    } catch {
      throw InvalidPreset(preset: name, error: error)
    }
  }
}
