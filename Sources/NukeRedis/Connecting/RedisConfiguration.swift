#if Redis
  public import Foundation
  public import Logging

  /// The address of a Redis server, and the limits of its use.
  public struct RedisConfiguration: Sendable {
    public enum Address: Sendable, Hashable {
      case host(String, port: Int)
      /// The path of a Unix socket.
      case socket(String)
    }

    public var address: Address
    /// The name of Redis 6's users; `nil` for the default one.
    public var username: String?
    public var password: String?
    /// The number of the database.
    public var database = 0

    /// Seconds that making a connection may take, and that a caller waits for a free one.
    public var connectTimeout: TimeInterval = 0.25
    /// Seconds that an answer may take; for values that are sent, once more for each MiB.
    public var commandTimeout: TimeInterval = 0.5
    /// Connections at a time.
    public var connectionLimit = 4

    /// The prefix of all keys. Programs that share nothing need different prefixes.
    public var keyPrefix = "nuke:"
    /// Seconds that a value is kept.
    public var timeToLive: TimeInterval = 7 * 86_400
    /// Seconds that one value is kept, where that can be told by its key or its bytes; `nil` for ``timeToLive``, 0 for
    /// a value that is not kept. Called on the thread that stores it.
    public var timeToLiveOfValue: (@Sendable (_ key: String, _ data: Data) -> TimeInterval?)?
    /// Bytes of the largest value that is kept, or read.
    public var maximumValueSize = 16 << 20
    /// Bytes that may wait to be sent. What comes above that is dropped.
    public var backlogLimit = 32 << 20

    /// Seconds after which others may do the work of a process that has died.
    public var leaseTimeToLive: TimeInterval = 10
    /// Seconds that a load waits at most for another process that is at the same work; 0 for loads that ask nobody.
    public var leaseTimeout: TimeInterval = 30

    /// Told once a minute at most what the program goes on without.
    public var logger: Logger?

    public init(address: Address) { self.address = address }
  }

  extension RedisConfiguration.Address: CustomStringConvertible {
    public var description: String {
      switch self {
      case .host(let name, let port): name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
      case .socket(let path): path
      }
    }
  }

  extension RedisConfiguration {
    /// A server by its URL: `redis://user:password@host:port/database`, of which all but the host may be left out, or
    /// `unix://user:password@/path/of/the/socket?db=1`.
    ///
    /// - Throws: ``RedisError/invalidURL(_:)``, and ``RedisError/encryptionUnavailable`` for `rediss://`.
    public init(url: String) throws(RedisError) {
      guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
        throw .invalidURL("it is no URL")
      }
      let address: Address
      var database = ""
      switch scheme {
      case "redis":
        guard var host = parts.host, !host.isEmpty else { throw .invalidURL("it names no host") }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let port = parts.port ?? 6379
        guard (1...65535).contains(port) else { throw .invalidURL("\(port) is no port") }
        address = .host(host, port: port)
        database = String(parts.path.dropFirst())
        if parts.queryItems?.isEmpty == false { throw .invalidURL("it has a query") }
      case "unix":
        guard parts.host?.isEmpty ?? true, parts.path.count > 1 else {
          throw .invalidURL("it names no socket, as unix:///path does")
        }
        guard parts.path.utf8.count < 108 else { throw .invalidURL("the path of a socket has at most 107 bytes") }
        address = .socket(parts.path)
        for item in parts.queryItems ?? [] {
          guard item.name == "db" else { throw .invalidURL("\(item.name) is not known") }
          database = item.value ?? ""
        }
      case "rediss": throw .encryptionUnavailable
      default: throw .invalidURL("its scheme is \(scheme), not redis or unix")
      }
      self.init(address: address)
      guard database.isEmpty || Int(database).map({ $0 >= 0 }) == true else {
        throw .invalidURL("\(database) is not the number of a database")
      }
      self.database = Int(database) ?? 0
      username = parts.user.flatMap { $0.isEmpty ? nil : $0 }
      password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
      if username != nil, password == nil { throw .invalidURL("it names a user without a password") }
    }
  }
#endif
