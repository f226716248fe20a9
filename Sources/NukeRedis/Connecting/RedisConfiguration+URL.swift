#if Redis
  import Foundation

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
