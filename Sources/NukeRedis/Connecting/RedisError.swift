#if Redis
  import Logging
  package import NukeBase

  /// The reason why a Redis server did not reply. A ``RedisDataCache`` counts and logs these errors and does not throw
  /// them.
  public enum RedisError: Error, Sendable, Hashable {
    /// The URL is invalid, for the given reason.
    case invalidURL(String)
    /// Connecting failed, for the given reason.
    case notConnected(String)
    /// There was no complete reply within the time limit.
    case timedOut
    /// The server closed the connection.
    case closed
    /// The reply is not valid in Redis's protocol, or does not answer the command.
    case malformedReply(String)
    /// The reply is larger than the limit.
    case replyTooLarge(limit: Int)
    /// The server rejected the command, with the given message.
    case refused(String)
    /// The server has failed repeatedly and is not used for a while.
    case suspended
  }

  extension RedisError: CustomStringConvertible {
    public var description: String {
      switch self {
      case .invalidURL(let reason): "The URL of the Redis server is not valid: \(reason)."
      case .notConnected(let reason): "There is no connection to the Redis server: \(reason)."
      case .timedOut: "The Redis server did not answer in time."
      case .closed: "The Redis server closed the connection."
      case .malformedReply(let reason): "The reply of the Redis server is invalid: \(reason)."
      case .replyTooLarge(let limit): "The Redis server sent more than \(limit) bytes."
      case .refused(let reason): "The Redis server rejected a command: \(reason)."
      case .suspended: "The Redis server has failed and is not used for a while."
      }
    }
  }

  /// Logs the failures of a server, each kind at most once a minute.
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
      logger.warning("a Redis command failed, and the work continues without it", metadata: metadata)
    }
  }

  extension RedisError {
    fileprivate var kind: Int {
      switch self {
      case .invalidURL: 0
      case .notConnected, .closed: 1
      case .timedOut: 2
      case .malformedReply, .replyTooLarge: 3
      case .refused: 4
      case .suspended: 5
      }
    }
  }
#endif
