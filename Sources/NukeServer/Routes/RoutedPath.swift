#if Server
  /// Paths as the router reads them: several slashes are one.
  enum RoutedPath {
    private static let slash = UInt8(ascii: "/")

    /// Returns the rest of the path after a prefix, from its slash on and as it was sent; `nil` if the path does not
    /// have the prefix.
    static func rest(of path: String, behind prefix: String) -> Substring? {
      var rest = Substring(path).utf8
      for part in prefix.utf8.split(separator: slash) {
        guard rest.first == slash else { return nil }
        rest = rest.drop { $0 == slash }
        guard rest.prefix(while: { $0 != slash }).elementsEqual(part) else { return nil }
        rest = rest.dropFirst(part.count)
      }
      return rest.first == slash ? Substring(rest) : nil
    }

    /// The parts of a path, no more than so many.
    static func parts(of path: String, limit: Int) -> [Substring] {
      path.split(separator: "/", maxSplits: limit).prefix(limit).map { $0 }
    }
  }
#endif
