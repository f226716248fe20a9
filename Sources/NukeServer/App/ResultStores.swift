#if Server
  import Logging
  import Nuke
  import NukeS3
  import NukeServing

  #if Redis
    import NukeRedis
  #endif

  /// The stores of rendered files that a configuration names.
  struct ResultStores {
    /// The fastest first. A look-up queries the next store only after a miss, and copies a hit to the stores before it.
    private(set) var caches: [any DataCaching] = []
    /// The kinds of the stores on other machines, by their indices in ``caches``.
    private(set) var remoteSystems: [Int: String] = [:]
    /// Block until the pending writes of a store have finished or were dropped.
    private(set) var flushes: [@Sendable () -> Void] = []
    private(set) var leasing: (any DataLeasing)?
    /// The store by which nodes learn of purges: the fastest of those that most nodes share.
    private(set) var purges: PurgeStore?
    private(set) var collectors: [@Sendable () -> [CollectedMetric]] = []
    /// See ``ServerDependencies/storeProblem``.
    private(set) var storeProblem: @Sendable () -> String? = { nil }

    /// - Parameter role: the provider of credentials for the bucket; `nil` for the keys of the configuration.
    init(
      _ configuration: ImageServer.Configuration, role: S3CredentialProvider?, metrics: PrometheusRegistry,
      logger: Logger
    ) throws(ConfigurationError) {
      if let folder = try configuration.diskResults { add(folder) { folder.flush() } }
      #if Redis
        if let url = configuration.redisURL {
          let shared = try SharedStore(url: url, configuration, metrics: metrics, logger: logger)
          remoteSystems[caches.count] = "redis"
          add(shared.cache) { shared.cache.flush() }
          leasing = shared.cache
          collectors.append(shared.metrics)
          if configuration.requiresRedis {
            shared.awaitServer()
            storeProblem = { shared.storeProblem() }
          }
        }
      #endif
      if let bucket = try configuration.bucketResults(role, metrics: metrics, { logger.warning("\($0)") }) {
        remoteSystems[caches.count] = "s3"
        add(bucket, recordsPurges: leasing == nil) { bucket.flush() }
        collectors.append { bucket.statistics.metrics }
      }
    }

    private mutating func add(
      _ cache: any DataCaching, recordsPurges: Bool = true, flush: @escaping @Sendable () -> Void
    ) {
      caches.append(cache)
      flushes.append(flush)
      if recordsPurges { purges = PurgeStore(cache, flush: flush) }
    }
  }
#endif
