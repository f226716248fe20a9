#if Server && Redis
  import CoreMetrics
  import Foundation
  import Logging
  import Nuke
  import NukeRedis
  import NukeServing

  /// The Redis server shared by several nodes. It stores results, and elects the node that renders a file while the
  /// others wait.
  struct SharedStore {
    let cache: RedisDataCache

    /// Connecting may take half of the time for a reply. A request may wait for another node until its own time limit.
    init(
      url: String, _ settings: ImageServer.Configuration, metrics: any MetricsFactory, logger: Logger
    ) throws(ConfigurationError) {
      let files = [
        ("redis-ca", settings.redisCA), ("redis-certificate", settings.redisCertificate),
        ("redis-key", settings.redisKey),
      ]
      for case (let name, let file?) in files where !FileManager.default.isReadableFile(atPath: file) {
        throw ConfigurationError(name, FileProblem.reason(file))
      }
      do throws(RedisError) {
        var configuration = try RedisConfiguration(url: url)
        if configuration.tls != nil {
          configuration.tls = RedisConfiguration.TLS(
            caFile: settings.redisCA, certificateFile: settings.redisCertificate, keyFile: settings.redisKey)
        }
        configuration.sentinelUsername = settings.redisSentinelUsername
        configuration.sentinelPassword = settings.redisSentinelPassword
        configuration.metricsFactory = metrics
        configuration.logger = logger
        configuration.keyPrefix = settings.redisPrefix
        configuration.timeToLive = Double(settings.redisTTL)
        configuration.connectionLimit = settings.redisConnectionLimit
        configuration.commandTimeout = settings.redisTimeout
        configuration.connectTimeout = settings.redisTimeout / 2
        configuration.leaseTimeToLive = 20
        configuration.leaseTimeout = settings.requestTimeout
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
    func storeProblem() -> String? {
      cache.pool.askAgain()
      return cache.statistics.isOpen ? "Redis is unavailable" : nil
    }

    func metrics() -> [CollectedMetric] {
      cache.pool.askAgain()
      return cache.statistics.metrics
    }
  }
#endif
