import NukeCodecs

extension ImageURL {
  /// The options of the URL, with the format behind its source.
  ///
  /// - Parameters:
  ///   - presets: the server's own.
  ///   - now: seconds since 1970.
  /// - Throws: ``ServingError/invalidOption(_:_:)``, and ``ServingError/expired``.
  public func imageOptions(presets: ImagePresets = ImagePresets(), now: Int) throws(ServingError) -> ImageOptions {
    var options = try ImageOptions(options, presets: presets)
    if let fileExtension {
      // It stands last, and counts.
      options.format = try OptionArguments(name: "extension", values: [fileExtension]).format(0)
    }
    if let expires = options.expires, expires <= now { throw .expired }
    return options
  }
}
