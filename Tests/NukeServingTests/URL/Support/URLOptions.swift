@testable import NukeServing

/// Returns the options of a URL, 1000 seconds after the beginning of 1970.
///
/// - Parameter text: the options, separated by slashes.
func options(_ text: String, presets: [String: String] = [:]) throws -> ImageOptions {
  try ImageURL(path: "/x/" + text + "/plain/http://a").imageOptions(presets: ImagePresets(presets), now: 1000)
}
