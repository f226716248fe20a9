#if Redis
  import NukeLocalServers
  import NukeRedis

  /// A primary, its replica, and sentinels that know of each other.
  struct SentinelGroup {
    let primary: RedisServer
    let replica: RedisServer
    let sentinels: [RedisServer]

    /// - Parameters:
    ///   - patience: the time after which a silent primary is down, in milliseconds.
    ///   - certificates: the folder with certificates for 127.0.0.1; `nil` to not encrypt.
    ///   - password: that of the primary, which the replica has as well.
    init(
      sentinels count: Int = 1, patience: Int = 60_000, certificates: String? = nil, password: String? = nil,
      sentinelPassword: String? = nil
    ) throws {
      let primary = try RedisServer.listening(certificates: certificates, password: password)
      self.primary = primary
      replica = try .listening(
        certificates: certificates, password: password, "--replicaof", "127.0.0.1", "\(primary.port)")
      sentinels = try (0..<count).map { _ in
        try .sentinel(
          of: primary, quorum: count / 2 + 1, patience: patience, certificates: certificates,
          password: sentinelPassword)
      }
      for sentinel in sentinels {
        try sentinel.waitUntilLogged("+slave slave 127.0.0.1:\(replica.port)")
        for other in sentinels where other !== sentinel {
          try sentinel.waitUntilLogged(" 127.0.0.1 \(other.port) @ images")
        }
      }
    }

    func configuration(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
      let addresses = sentinels.map { RedisConfiguration.Sentinel(host: "127.0.0.1", port: $0.port) }
      var configuration = RedisConfiguration(address: .sentinels(addresses, primary: "images"))
      configuration.connectTimeout = 10
      configuration.commandTimeout = 10
      change(&configuration)
      return configuration
    }

    /// Makes the replica the primary, and the primary its replica.
    func failOver() throws {
      // The sentinel has to learn more of the replica first. Each try waits for a list that nobody fills.
      while case .error(let text) = try sentinels[0].command("SENTINEL", "FAILOVER", "images"),
        text.hasPrefix("NOGOODSLAVE")
      {
        try primary.command("BLPOP", "nothing", "0.05")
      }
      try sentinels[0].waitUntilLogged("+switch-master")
      // The sentinel does the same, some seconds later.
      try primary.command("REPLICAOF", "127.0.0.1", "\(replica.port)")
    }
  }
#endif
