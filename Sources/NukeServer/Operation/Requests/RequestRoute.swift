#if Server
  /// The kind of a request. There are only a few kinds, so each has its own metrics.
  enum RequestRoute: String, CaseIterable, Sendable {
    case image, info, health, ready, metrics, playground, other

    /// - Parameters:
    ///   - prefix: the prefix of all image paths.
    ///   - healthPath: an additional path of the health check.
    init(path: String, prefix: String, healthPath: String? = nil) {
      if let healthPath, RoutedPath.rest(of: path + "/", behind: healthPath)?.allSatisfy({ $0 == "/" }) == true {
        self = .health
        return
      }
      switch RoutedPath.components(of: Substring(path)) {
      case ("health", ""): self = .health
      case ("ready", ""): self = .ready
      case ("metrics", ""): self = .metrics
      case ("_playground", _): self = .playground
      default:
        guard let rest = RoutedPath.rest(of: path, behind: prefix) else {
          self = .other
          return
        }
        self =
          switch rest {
          // Only with the environment of imgproxy; otherwise, such a path is malformed.
          case "/health": .health
          case "/ready": .ready
          case _ where !RoutedPath.canBeImage(rest): .other
          default: rest.hasPrefix("/info/") ? .info : .image
          }
      }
    }

    var isImage: Bool { self == .image || self == .info }
    /// `true` if monitoring requests it repeatedly.
    var isOperation: Bool { [.health, .ready, .metrics, .playground].contains(self) }
  }

  /// Paths as the router interprets them: repeated slashes count as one.
  enum RoutedPath {
    private static let slash = UInt8(ascii: "/")

    /// Returns the rest of the path after a prefix, as it was sent and including its leading slash; `nil` if the path
    /// does not have the prefix.
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

    /// Returns `true` if a path can be that of an image. Such a path has at least two components: the signature, and the
    /// source. Those below `.well-known` belong to the host (RFC 8615).
    ///
    /// - Parameter path: the path after the prefix.
    static func canBeImage(_ path: Substring) -> Bool {
      let (first, second) = components(of: path)
      return !second.isEmpty && first != ".well-known"
    }

    /// Returns the first two components of a path; an empty one if there is none.
    static func components(of path: Substring) -> (first: Substring, second: Substring) {
      var rest = path.utf8.drop { $0 == slash }
      let first = rest.prefix { $0 != slash }
      rest = rest.dropFirst(first.count).drop { $0 == slash }
      return (Substring(first), Substring(rest.prefix { $0 != slash }))
    }
  }
#endif
