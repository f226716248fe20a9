#if Server
  import NukeImaging
  import NukeServing

  /// Remembers for which paths images were sent lately, by routes and all that stands around them: such a path needs to
  /// be neither read nor judged again.
  final class AnsweredPaths: Sendable {
    final class Entry: Sendable {
      let resolved: ResolvedURL
      /// The path as it may be logged.
      let loggedPath: String

      init(_ resolved: ResolvedURL, loggedPath: String) {
        self.resolved = resolved
        self.loggedPath = loggedPath
      }
    }

    /// Bytes of a path. Longer ones are rare, and much to keep.
    private static let lengthLimit = 1024

    private let prefix: String
    private let entries: Lock<Generations<Entry>>

    /// - Parameters:
    ///   - prefix: what the paths of images begin with.
    ///   - capacity: see ``Generations``.
    init(prefix: String, capacity: Int = 2048) {
      self.prefix = prefix
      entries = Lock(Generations(capacity: capacity))
    }

    /// The request behind a path for which an image has been sent.
    subscript(path: String) -> Entry? { entries.withLock { $0.find(path) } }

    /// An image is sent for a path.
    ///
    /// - Parameter path: as it was sent. One that can be written in several ways is not remembered.
    func note(_ path: String, _ resolved: ResolvedURL) {
      guard path.utf8.count <= Self.lengthLimit, !path.utf8.contains(where: Self.endsPath), !path.hasPrefix("//"),
        self[path] == nil, RequestRoute(path: path, prefix: prefix) == .image
      else { return }
      let entry = Entry(resolved, loggedPath: LoggedPath.of(path, prefix: prefix))
      entries.withLock { $0.keep(entry, for: path) }
    }

    private static func endsPath(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
  }
#endif
