#if Server && Redis
  import Logging
  import Nuke
  import NukeRedis
  import NukeServing

  /// Redis as it is used by a fleet: a store of results, and the leases by which one node makes what the others wait for.
  struct SharedStore: RenditionLeasing {
    let cache: RedisDataCache

    /// - Parameter timeout: seconds that an answer may take. Connecting may take half of them.
    init(url: String, timeout: Double, logger: Logger) throws(ConfigurationError) {
      do throws(RedisError) {
        var configuration = try RedisConfiguration(url: url)
        configuration.logger = logger
        configuration.commandTimeout = timeout
        configuration.connectTimeout = timeout / 2
        cache = RedisDataCache(configuration)
      } catch {
        // The URL has a password, which is not told.
        throw ConfigurationError(setting: "redis-url", origin: "redis-url", reason: error.description)
      }
    }

    func acquire(_ key: String, seconds: Int) async -> LeaseAnswer {
      do throws(RedisError) {
        return try await cache.leases.takeToken(for: key, seconds: seconds).map { .granted(token: $0) } ?? .held
      } catch {
        return .unavailable
      }
    }

    func renew(_ key: String, token: String, seconds: Int) async -> Bool {
      do throws(RedisError) {
        return try await cache.leases.renew(token, for: key, seconds: seconds)
      } catch {
        return true
      }
    }

    func release(_ key: String, token: String) async { await cache.giveBackLease(token, for: key) }

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
          "nuke_redis_up", .gauge, "Whether Redis is asked: 0 after failures.", statistics.isOpen ? 0 : 1),
      ]
    }
  }
#endif
