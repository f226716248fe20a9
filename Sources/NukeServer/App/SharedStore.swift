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
        throw ConfigurationError(setting: "redis-url", origin: "redis-url", reason: error.description)
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
      let statistics = cache.statistics
      return [
        CollectedMetric("nuke_redis_hits_total", .counter, "Reads of Redis that gave data.", Double(statistics.hits)),
        CollectedMetric(
          "nuke_redis_misses_total", .counter, "Reads of Redis that gave none.", Double(statistics.misses)),
        CollectedMetric("nuke_redis_errors_total", .counter, "Times that Redis failed.", Double(statistics.errors)),
        CollectedMetric("nuke_redis_stored_total", .counter, "Values stored in Redis.", Double(statistics.stored)),
        CollectedMetric(
          "nuke_redis_dropped_total", .counter, "Values not stored in Redis.", Double(statistics.dropped)),
        CollectedMetric(
          "nuke_service_leases_lost_total", .counter, "Times that a lease was lost before the work was done.",
          Double(statistics.leasesLost)),
        CollectedMetric(
          "nuke_redis_up", .gauge, "Whether Redis is asked: 0 after failures.", statistics.isOpen ? 0 : 1),
      ]
    }
  }
#endif
