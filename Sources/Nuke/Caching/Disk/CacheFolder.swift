import Foundation

/// Where a program of this user keeps what it can load again.
package enum CacheFolder {
  /// `$XDG_CACHE_HOME`, or `.cache` in the home folder (XDG Base Directory Specification); nil where neither is set to an
  /// absolute path, as for a service without a home.
  package static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path }
    if let home = environment["HOME"], home.hasPrefix("/") { return home == "/" ? "/.cache" : home + "/.cache" }
    return nil
  }
}
