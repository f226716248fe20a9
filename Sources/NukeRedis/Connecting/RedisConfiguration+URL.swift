#if Redis
  import Foundation

  extension RedisConfiguration {
    /// Parses a URL. All parts except the host, the path of the socket, or the name of the primary are optional.
    ///
    /// - `redis://user:password@host:port/database`, or `rediss://…` for TLS.
    /// - `redis+sentinel://user:password@host:port,host:port/primary/database`, with the addresses of sentinels and the
    ///   name of their primary; or `rediss+sentinel://…` for TLS. The user and password are those of the primary.
    /// - `unix://user:password@/path/of/the/socket?db=1`.
    ///
    /// - Throws: ``RedisError/invalidURL(_:)``.
    public init(url: String) throws(RedisError) {
      // The parser accepts one host, so the others are parsed on their own.
      var (text, others) = (url, [String]())
      if let start = url.range(of: "+sentinel://")?.upperBound {
        let end = url[start...].firstIndex(of: "/") ?? url.endIndex
        // A password is not for messages.
        let first = url[start..<end].lastIndex(of: "@").map(url.index(after:)) ?? start
        let hosts = url[first..<end].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        others = Array(hosts.dropFirst())
        text = url[..<first] + (hosts.first ?? "") + url[end...]
      }
      guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else {
        throw .invalidURL("it is not a URL")
      }
      var database = ""
      switch scheme {
      case "redis", "rediss":
        self.init(address: .host(try Self.host(parts), port: try Self.port(parts, otherwise: 6379)))
        database = String(parts.path.dropFirst())
        if parts.queryItems?.isEmpty == false { throw .invalidURL("it has a query") }
      case "redis+sentinel", "rediss+sentinel":
        var sentinels = [try Self.sentinel(parts)]
        for other in others {
          guard let parts = URLComponents(string: "redis://" + other), parts.user == nil, parts.path.isEmpty else {
            throw .invalidURL("\(other.debugDescription) is not a valid address of a sentinel")
          }
          sentinels.append(try Self.sentinel(parts))
        }
        let path = parts.path.split(separator: "/", maxSplits: 1).map(String.init)
        guard let name = path.first else { throw .invalidURL("the name of the primary is missing after the sentinels") }
        self.init(address: .sentinels(sentinels, primary: name))
        database = path.count > 1 ? path[1] : ""
        if parts.queryItems?.isEmpty == false { throw .invalidURL("it has a query") }
      case "unix":
        guard parts.host?.isEmpty ?? true, parts.path.count > 1 else {
          throw .invalidURL("it has no socket path, such as unix:///path")
        }
        guard parts.path.utf8.count < 108 else { throw .invalidURL("a socket path can have at most 107 bytes") }
        self.init(address: .socket(parts.path))
        for item in parts.queryItems ?? [] {
          guard item.name == "db" else { throw .invalidURL("the parameter \(item.name) is unknown") }
          database = item.value ?? ""
        }
      default: throw .invalidURL("its scheme is \(scheme), not redis, rediss, redis+sentinel, rediss+sentinel or unix")
      }
      guard database.isEmpty || Int(database).map({ $0 >= 0 }) == true else {
        throw .invalidURL("\(database) is not a database number")
      }
      if scheme.hasPrefix("rediss") { tls = TLS() }
      self.database = Int(database) ?? 0
      username = parts.user.flatMap { $0.isEmpty ? nil : $0 }
      password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
      if username != nil, password == nil { throw .invalidURL("it has a user without a password") }
    }

    private static func sentinel(_ parts: URLComponents) throws(RedisError) -> Sentinel {
      Sentinel(host: try host(parts), port: try port(parts, otherwise: 26379))
    }

    private static func host(_ parts: URLComponents) throws(RedisError) -> String {
      guard let host = parts.host, !host.isEmpty else { throw .invalidURL("it has no host") }
      return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    private static func port(_ parts: URLComponents, otherwise port: Int) throws(RedisError) -> Int {
      let port = parts.port ?? port
      guard (1...65535).contains(port) else { throw .invalidURL("\(port) is not a port") }
      return port
    }
  }
#endif
