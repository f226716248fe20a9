#if Redis
  extension RedisConnection {
    /// Connects to the primary that sentinels report, as described for clients of Redis Sentinel:
    /// <https://redis.io/docs/latest/develop/reference/sentinel-clients/>.
    ///
    /// Asks one sentinel after the other, until one reports a server that is a primary by its own account. A sentinel
    /// that was separated from the others can report a server that is none any more.
    ///
    /// - Returns: the connection, and the sentinel that reported its server; `nil` if the configuration has no
    ///   sentinels.
    package static func openPrimary(
      _ configuration: RedisConfiguration
    ) throws(RedisError) -> (connection: RedisConnection, sentinel: RedisConfiguration.Sentinel)? {
      guard case .sentinels(let sentinels, let name) = configuration.address else { return nil }
      var last = RedisError.notConnected("there are no sentinels")
      for sentinel in sentinels {
        do throws(RedisError) {
          var server = configuration
          server.address = try primary(name, by: sentinel, configuration)
          let connection = try RedisConnection(server)
          guard try !connection.isReplica(seconds: configuration.commandTimeout) else {
            throw .notConnected("\(server.address) is not a primary, but the sentinel \(sentinel) reports it")
          }
          return (connection, sentinel)
        } catch {
          last = error
        }
      }
      throw last
    }

    /// Asks a sentinel for the address of a primary.
    private static func primary(
      _ name: String, by sentinel: RedisConfiguration.Sentinel, _ configuration: RedisConfiguration
    ) throws(RedisError) -> RedisConfiguration.Address {
      var own = configuration
      own.address = .host(sentinel.host, port: sentinel.port)
      (own.username, own.password) = (configuration.sentinelUsername, configuration.sentinelPassword)
      own.database = 0
      let reply: RedisReply
      do throws(RedisError) {
        let command = RedisCommands("SENTINEL", "GET-MASTER-ADDR-BY-NAME", .text(name))
        reply = try RedisConnection(own).exchange(command, seconds: configuration.commandTimeout, limit: 4096)[0]
      } catch .refused(let text) {
        throw .refused("\(text) (sentinel \(sentinel))")
      }
      switch reply {
      case .array(let parts):
        guard parts.count == 2, case .bytes(let host) = parts[0], case .bytes(let text) = parts[1],
          let port = Int(text.text), (1...65535).contains(port)
        else { break }
        return .host(host.text, port: port)
      case .none: throw .notConnected("the sentinel \(sentinel) knows no primary with the name \(name)")
      case .error(let text): throw .refused("\(text) (sentinel \(sentinel))")
      default: break
      }
      throw .malformedReply("a sentinel must return a host and a port")
    }

    /// Returns `true` if the server says that it is a replica. A user may lack the permission to ask.
    private func isReplica(seconds: Double) throws(RedisError) -> Bool {
      guard case .array(let parts) = try exchange(RedisCommands("ROLE"), seconds: seconds, limit: 64 << 10)[0],
        case .bytes(let role)? = parts.first
      else { return false }
      return role.text != "master"
    }
  }
#endif
