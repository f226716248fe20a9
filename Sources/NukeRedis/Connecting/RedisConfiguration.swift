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
    /// The user name of Redis 6; `nil` for the default user.
    public var username: String?
    public var password: String?
    /// The number of the database.
    public var database = 0

    /// The time limit for connecting, and for waiting for a free connection, in seconds.
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
    /// Parses a URL: `redis://user:password@host:port/database` or `unix://user:password@/path/of/the/socket?db=1`. All
    /// parts except the host or the path are optional.
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
