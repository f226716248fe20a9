package import Foundation

/// The user's folder for data that programs can load again.
package enum CacheFolder {
  /// `$XDG_CACHE_HOME`, or `.cache` in the home folder (XDG Base Directory Specification); `nil` if neither is set to
  /// an absolute path, as for a service without a home.
  package static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path }
    if let home = environment["HOME"], home.hasPrefix("/") { return home == "/" ? "/.cache" : home + "/.cache" }
    return nil
  }

  /// The folder `name` in it, whether there is one or not.
  package static func url(named name: String, environment: [String: String]) throws(DataCache.Error) -> URL {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0),
      !name.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
    else { throw .invalidName(name) }
    guard let folder = path(environment: environment) else { throw .noCacheFolder }
    return URL(fileURLWithPath: "\(folder)/\(name)", isDirectory: true)
  }
}
