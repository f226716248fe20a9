#if Server
  import NukeServing

  /// A path for which the routes have recently sent an image, with its parsed request. Requests for such a path need not
  /// be parsed and verified again.
  final class AnsweredPath: Sendable {
    let resolved: ResolvedURL
    /// The path in the form that may be logged.
    let loggedPath: String
    let sourceHost: String

    /// The maximum length of a path in bytes. Longer paths are rare, and would use much memory.
    private static let lengthLimit = 1024

    /// Returns `nil` for paths that are not remembered: long ones, and those that have several spellings.
    ///
    /// - Parameters:
    ///   - path: the path as it was sent.
    ///   - prefix: the prefix of all image paths.
    init?(_ path: String, _ resolved: ResolvedURL, prefix: String) {
      guard path.utf8.count <= Self.lengthLimit, !path.utf8.contains(where: Self.endsPath), !path.hasPrefix("//"),
        RequestRoute(path: path, prefix: prefix) == .image
      else { return nil }
      self.resolved = resolved
      loggedPath = LoggedPath.of(path, prefix: prefix)
      sourceHost = resolved.source.loggedHost
    }

    private static func endsPath(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
  }
#endif
