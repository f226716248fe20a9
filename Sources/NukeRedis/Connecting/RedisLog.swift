#if Redis
  import Logging
  package import Nuke

  /// Tells the log of a server that fails, once a minute at most for each kind of failure.
  package final class RedisLog: Sendable {
    private let logger: Logger?
    private let address: String
    private let throttle: LogThrottle

    package init(_ configuration: RedisConfiguration, throttle: LogThrottle = LogThrottle()) {
      logger = configuration.logger
      address = "\(configuration.address)"
      self.throttle = throttle
    }

    func note(_ error: RedisError) {
      guard let logger, let suppressed = throttle.pass(error.kind) else { return }
      var metadata: Logger.Metadata = ["nuke.redis": "\(address)", "nuke.error": "\(error)"]
      if suppressed > 0 { metadata["nuke.suppressed"] = "\(suppressed)" }
      logger.warning("what is shared through Redis is done without", metadata: metadata)
    }
  }

  extension RedisError {
    fileprivate var kind: Int {
      switch self {
      case .invalidURL, .encryptionUnavailable: 0
      case .notConnected, .closed: 1
      case .timedOut: 2
      case .malformedReply, .replyTooLarge: 3
      case .refused: 4
      case .suspended: 5
      }
    }
  }
#endif
