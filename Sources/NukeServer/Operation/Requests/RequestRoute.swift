#if Server
  /// What a request asks for. There are few, so that metrics can be kept for each.
  enum RequestRoute: String, CaseIterable, Sendable {
    case picture, info, health, ready, metrics, playground, other

    init(path: String, prefix: String) {
      switch path {
      case "/health": self = .health
      case "/ready": self = .ready
      case "/metrics": self = .metrics
      case "/", "/favicon.ico": self = .other
      default:
        if path.hasPrefix("/_playground") {
          self = .playground
        } else if path.hasPrefix(prefix + "/info/") {
          self = .info
        } else if path.hasPrefix(prefix + "/") {
          self = .picture
        } else {
          self = .other
        }
      }
    }

    var isPicture: Bool { self == .picture || self == .info }
    /// Whether those who look after the server ask for it, again and again.
    var isOperation: Bool { [.health, .ready, .metrics, .playground].contains(self) }
  }
#endif
