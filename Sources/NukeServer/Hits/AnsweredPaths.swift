#if Server
  import NukeImaging
  import NukeServing

  /// Remembers the paths for which the routes have recently sent images. Requests for such a path need not be parsed
  /// and verified again.
  final class AnsweredPaths: Sendable {
    final class Entry: Sendable {
      let resolved: ResolvedURL
      /// The path in the form that may be logged.
      let loggedPath: String
      let sourceHost: String

      init(_ resolved: ResolvedURL, loggedPath: String) {
        self.resolved = resolved
        self.loggedPath = loggedPath
        sourceHost = resolved.source.loggedHost
      }
    }

    /// The maximum length of a path in bytes. Longer paths are rare, and would use much memory.
    private static let lengthLimit = 1024

    private let prefix: String
    private let entries: Lock<RecentTable<String, Entry>>

    /// - Parameters:
    ///   - prefix: the prefix of all image paths.
    ///   - limit: the maximum number of remembered paths.
    init(prefix: String, limit: Int = 4096) {
      self.prefix = prefix
      entries = Lock(RecentTable(limit: limit))
    }

    /// Returns the parsed request of a path for which an image was sent.
    subscript(path: String) -> Entry? { entries.withLock { $0.find(path) } }

    /// Remembers a path for which an image was sent.
    ///
    /// - Parameter path: the path as it was sent. Paths that have several spellings are not remembered.
    func note(_ path: String, _ resolved: ResolvedURL) {
      guard path.utf8.count <= Self.lengthLimit, !path.utf8.contains(where: Self.endsPath), !path.hasPrefix("//"),
        self[path] == nil, RequestRoute(path: path, prefix: prefix) == .image
      else { return }
      let entry = Entry(resolved, loggedPath: LoggedPath.of(path, prefix: prefix))
      entries.withLock { $0[path] = entry }
    }

    /// Forgets all paths, because keys or presets have changed.
    func removeAll() { entries.withLock { $0.removeAll() } }

    private static func endsPath(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
  }
#endif
