#if Server
  /// The kind of a request. There are few kinds, so that each has its own metrics.
  enum RequestRoute: String, CaseIterable, Sendable {
    case image, info, health, ready, metrics, playground, other

    init(path: String, prefix: String) {
      let parts = RoutedPath.parts(of: path, limit: 2)
      switch (parts.first, parts.count) {
      case ("health", 1): self = .health
      case ("ready", 1): self = .ready
      case ("metrics", 1): self = .metrics
      case ("_playground", _): self = .playground
      case ("favicon.ico", 1), (nil, _): self = .other
      default:
        guard let rest = RoutedPath.rest(of: path, behind: prefix) else {
          self = .other
          return
        }
        self = rest.hasPrefix("/info/") ? .info : .image
      }
    }

    var isImage: Bool { self == .image || self == .info }
    /// `true` if those who look after the server ask for it, again and again.
    var isOperation: Bool { [.health, .ready, .metrics, .playground].contains(self) }
  }
#endif
