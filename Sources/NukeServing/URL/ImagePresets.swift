/// Named lists of options. The preset "default" is applied before the options of every URL.
public struct ImagePresets: Sendable, Hashable {
  private var lists: [String: [ImageOption]] = [:]

  /// Creates an empty collection of presets.
  public init() {}

  /// Parses presets from options in URL syntax, separated by slashes, such as `["thumb": "rs:fill:96:96/q:70"]`.
  ///
  /// - Throws: ``ServingError`` for an invalid option, an unknown preset, and a preset that includes itself.
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
    for (name, _) in texts { try check(name, within: []) }
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

  /// Checks that a preset does not include itself, and that all of its options are valid.
  private func check(_ name: String, within outer: [String]) throws(InvalidPreset) {
    func invalid(_ reason: String) -> InvalidPreset {
      InvalidPreset(preset: name, error: .invalidOption("preset \(name)", reason))
    }
    guard !outer.contains(name) else {
      throw invalid("it contains itself, through \(outer.joined(separator: ", "))")
    }
    for option in lists[name] ?? [] {
      if option.name == "pr" || option.name == "preset" {
        for inner in option.arguments where !inner.isEmpty {
          guard lists[inner] != nil else { throw invalid("there is no preset \"\(inner)\"") }
          try check(inner, within: outer + [name])
        }
      } else {
        do throws(ServingError) {
          var draft = ImageOptions.Draft()
          try draft.apply([option], self)
        } catch {
          throw InvalidPreset(preset: name, error: error)
        }
      }
    }
  }
}
