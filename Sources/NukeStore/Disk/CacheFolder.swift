package import Foundation

/// The user's folder for cached data.
package enum CacheFolder {
  /// Returns `$XDG_CACHE_HOME`, or `.cache` in the home folder (XDG Base Directory Specification). Returns `nil` if
  /// neither variable is an absolute path, as for a service without a home folder.
  package static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path }
    if let home = environment["HOME"], home.hasPrefix("/") { return home == "/" ? "/.cache" : home + "/.cache" }
    return nil
  }

  /// Returns the URL of the folder `name` in it, whether it exists or not.
  package static func url(named name: String, environment: [String: String]) throws(DataCache.Error) -> URL {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(0),
      !name.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
    else { throw .invalidName(name) }
    guard let folder = path(environment: environment) else { throw .noCacheFolder }
    return URL(fileURLWithPath: "\(folder)/\(name)", isDirectory: true)
  }
}
