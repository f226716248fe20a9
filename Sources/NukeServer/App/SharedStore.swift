#if Server && Redis
  import Logging
  import Nuke
  import NukeRedis
  import NukeServing

  /// The Redis of a fleet: it stores results, and elects the node that makes one while the others wait.
  struct SharedStore {
    let cache: RedisDataCache

    /// - Parameters:
    ///   - timeout: the time limit for a reply, in seconds. Connecting may take half of it.
    ///   - leaseTimeout: the time for which another node is waited for, in seconds.
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
        // The URL has a password, which is not told.
        throw ConfigurationError("redis-url", error.description)
      }
    }

    /// Complains until Redis has been reached.
    func awaitServer() { cache.pool.awaitServer() }

    /// Why it cannot be counted on; `nil` while it can. Also has it asked again in time: while the node is not ready,
    /// nothing else may.
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
