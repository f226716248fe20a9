#if Redis
  public import CoreMetrics
  public import Foundation
  public import Logging

  /// The address of a Redis server, and the limits of its use.
  public struct RedisConfiguration: Sendable {
    public enum Address: Sendable, Hashable {
      case host(String, port: Int)
      /// The path of a Unix socket.
      case socket(String)
      /// The primary that sentinels report for a name. They are queried for each new connection, the one that replied
      /// last first, so that connections are made to the new primary after a failover.
      case sentinels([Sentinel], primary: String)
    }

    /// The address of a server of Redis Sentinel.
    public struct Sentinel: Sendable, Hashable {
      public var host: String
      public var port: Int

      public init(host: String, port: Int = 26379) {
        self.host = host
        self.port = port
      }
    }

    /// The certificates of encrypted connections, as PEM files. They are read for each connection.
    ///
    /// The certificate of a server must be valid, and must have the host of its address as a name or IP address.
    public struct TLS: Sendable, Hashable {
      /// The certificate authorities to trust instead of the system's.
      public var caFile: String?
      /// The certificate chain that the client presents, for servers that require one.
      public var certificateFile: String?
      /// The private key of ``certificateFile``, not encrypted. The default is `nil`: ``certificateFile`` also contains
      /// the key.
      public var keyFile: String?

      public init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.caFile = caFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
      }
    }

    public var address: Address
    /// The user name of Redis 6; `nil` for the default user.
    public var username: String?
    public var password: String?
    /// The user name that sentinels require; `nil` for the default user.
    public var sentinelUsername: String?
    /// The password that sentinels require; `nil` if they require none.
    public var sentinelPassword: String?
    /// The settings of encrypted connections, to servers and sentinels; `nil` to not encrypt. Unix sockets are never
    /// encrypted.
    public var tls: TLS?
    /// The number of the database.
    public var database = 0

    /// The time limit for connecting, for the TLS handshake, and for waiting for a free connection, in seconds.
    public var connectTimeout: TimeInterval = 0.25
    /// The time limit for a reply, in seconds. It is extended by the same time for each MiB that is sent.
    public var commandTimeout: TimeInterval = 0.5
    /// The maximum number of connections.
    public var connectionLimit = 4

    /// The prefix of all keys. Programs that share nothing need different prefixes.
    public var keyPrefix = "nuke:"
    /// The lifetime of a value, in seconds.
    public var timeToLive: TimeInterval = 7 * 86_400
    /// Returns the lifetime of a value in seconds, from its key or data. Returns `nil` for ``timeToLive``, and 0 to not
    /// store the value. Called on the thread that stores it.
    public var timeToLiveOfValue: (@Sendable (_ key: String, _ data: Data) -> TimeInterval?)?
    /// The maximum size of a value that is stored or read, in bytes.
    public var maximumValueSize = 16 << 20
    /// The maximum size of pending writes, in bytes. Above it, data is dropped.
    public var backlogLimit = 32 << 20

    /// The time after which the lease of a process that has died expires, in seconds.
    public var leaseTimeToLive: TimeInterval = 10
    /// The maximum time that a load waits for another process that does the same work, in seconds; 0 to not use leases.
    public var leaseTimeout: TimeInterval = 30

    /// Receives warnings about failures, each at most once a minute.
    public var logger: Logger?
    /// Creates the timers `nuke_redis_request_duration_seconds`, by operation (`read`, `write`, `lease`) and outcome
    /// (`success`, `failure`). Without a factory, nothing is measured.
    public var metricsFactory: (any MetricsFactory)?

    public init(address: Address) { self.address = address }
  }

  extension RedisConfiguration.Address: CustomStringConvertible {
    public var description: String {
      switch self {
      case .host(let name, let port): "\(RedisConfiguration.Sentinel(host: name, port: port))"
      case .socket(let path): path
      case .sentinels(let sentinels, let name):
        "\(name) of the sentinels \(sentinels.map(\.description).joined(separator: ", "))"
      }
    }

    /// Moves a sentinel to the front.
    mutating func prefer(_ sentinel: RedisConfiguration.Sentinel) {
      guard case .sentinels(let all, let name) = self, all.first != sentinel else { return }
      self = .sentinels([sentinel] + all.filter { $0 != sentinel }, primary: name)
    }
  }

  extension RedisConfiguration.Sentinel: CustomStringConvertible {
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }
#endif
