@testable import NukeServing

extension ImageOptions {
  /// Reads the options of a URL, 1000 seconds after the beginning of 1970.
  ///
  /// - Parameter text: the options, separated by slashes.
  init(url text: String, presets: [String: String] = [:]) throws {
    self = try ImageURL(path: "/x/" + text + "/plain/http://a")
      .imageOptions(presets: ImagePresets(presets), now: 1000)
  }
}
