#if Server && Redis
  import Logging
  import Nuke
  import NukeRedis
  import NukeServing

  /// The Redis server shared by several nodes. It stores results, and elects the node that renders a file while the
  /// others wait.
  struct SharedStore {
    let cache: RedisDataCache

    /// - Parameters:
    ///   - timeout: the time limit for a reply, in seconds. Connecting may take half of it.
    ///   - leaseTimeout: the maximum time to wait for another node, in seconds.
    init(url: String, timeout: Double, leaseTimeout: Double, logger: Logger) throws(ConfigurationError) {
      do throws(RedisError) {
        var configuration = try RedisConfiguration(url: url)
        configuration.logger = logger
        configuration.commandTimeout = timeout
        configuration.connectTimeout = timeout / 2
        configuration.leaseTimeToLive = 20
        configuration.leaseTimeout = leaseTimeout
        cache = RedisDataCache(configuration)
      } catch {
        // The error must not contain the URL, which has a password.
        throw ConfigurationError("redis-url", error.description)
      }
    }

    /// Logs a warning until Redis can be reached.
    func awaitServer() { cache.pool.awaitServer() }

    /// Returns the reason why Redis is unavailable; `nil` if it is available. Also triggers the next connection
    /// attempt: a node that is not ready receives no requests that would trigger it.
    func complaint() -> String? {
      cache.pool.askAgain()
      return cache.statistics.isOpen ? "Redis does not answer" : nil
    }

    func metrics() -> [CollectedMetric] {
      cache.pool.askAgain()
      return cache.statistics.metrics
    }
  }
#endif
