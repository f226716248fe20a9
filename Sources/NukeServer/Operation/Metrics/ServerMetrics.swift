#if Server
  import NukeS3
  import NukeSandbox
  import NukeServing

  #if Redis
    import NukeRedis
  #endif

  // The metrics that are read when somebody asks.

  extension CollectedMetric {
    typealias Row = (name: String, help: String, value: Int)

    /// Returns counters, to whose names the prefix and `_total` are added.
    static func counters(_ prefix: String, _ rows: [Row]) -> [Self] {
      rows.map { Self("\(prefix)\($0.name)_total", .counter, $0.help, Double($0.value)) }
    }

    /// Returns gauges, to whose names the prefix is added.
    static func gauges(_ prefix: String, _ rows: [Row]) -> [Self] {
      rows.map { Self(prefix + $0.name, .gauge, $0.help, Double($0.value)) }
    }
  }

  extension ServiceStatistics {
    /// The metrics of the rendition service.
    var metrics: [CollectedMetric] {
      let counters: [CollectedMetric.Row] = [
        ("stale", "Answers that were sent though they were stale, while the source was asked.", stale),
        ("degraded", "Stale or smaller answers, since what was asked for could not be had.", degraded),
        ("renditions", "Files that were made.", renditions),
        ("rendition_bytes", "Bytes of files that were made.", renditionBytes),
        ("sources", "Sources that were loaded.", sources),
        ("source_bytes", "Bytes of sources that were loaded.", sourceBytes),
        (
          "sources_unchanged", "Sources that were not loaded again: their servers said that they have not changed.",
          sourcesUnchanged
        ),
        ("renewals", "Stale files whose source had not changed.", renewals),
        ("remembered_failures", "Requests that were refused since their source has just failed.", rememberedFailures),
        ("lease_waits", "Times that another node was waited for.", leaseWaits),
        ("leases_unavailable", "Times that a lease could not be asked for.", leasesUnavailable),
        ("store_timeouts", "Looks into stores that took too long.", storeTimeouts),
        ("store_damaged", "Stored files that were found damaged.", storeDamaged),
        ("store_drops", "Files that were not stored, since too many waited for it.", storeDrops),
      ]
      let gauges: [CollectedMetric.Row] = [
        ("in_flight", "Requests and renewals that are under way.", inFlight),
        ("loading", "Requests that load their source or wait for another node.", loading),
        ("waiting", "Requests that wait for room.", waiting),
        ("running", "Requests whose file is being made.", running),
        ("decode_budget_used_bytes", "Bytes of decoded images that are taken.", budgetUsed),
        ("decode_budget_bytes", "Bytes of decoded images that there may be.", budget),
        ("held_source_bytes", "Bytes of sources that are held.", heldSourceBytes),
        ("memory_store_files", "Files in memory.", memoryCount),
        ("memory_store_bytes", "Bytes of files in memory.", memoryBytes),
        ("memory_store_limit_bytes", "Bytes that files in memory may take.", memoryLimit),
      ]
      let histograms = Stage.allCases.compactMap { stage in
        stages[stage].map { histogram in
          (
            labels: [("stage", stage.rawValue)],
            value: MetricValue.histogram(
              bounds: Histogram.bounds, counts: histogram.counts.map(UInt64.init), sum: histogram.sum)
          )
        }
      }
      return CollectedMetric.counters("nuke_service_", counters) + CollectedMetric.gauges("nuke_service_", gauges) + [
        CollectedMetric(
          "nuke_service_stage_seconds", .histogram, "Seconds that parts of the work on requests took.", histograms)
      ]
    }
  }

  extension SandboxStatistics {
    /// The metrics of the sandbox.
    var metrics: [CollectedMetric] {
      CollectedMetric.gauges(
        "nuke_sandbox_",
        [
          ("workers", "Processes that make images.", workers),
          ("busy", "Of these, those that are at work.", busy),
          ("waiting", "Orders that wait for one of them.", waiting),
        ])
        + CollectedMetric.counters(
          "nuke_sandbox_",
          [
            ("starts", "Processes that were started.", starts),
            ("answers", "Orders that were answered: plans, images and facts.", answers),
            ("crashes", "Processes that died at work, or made no sense.", crashes),
            ("overruns", "Processes that were ended since they took too long.", overruns),
            ("retirements", "Processes that had made their images, or kept too much memory.", retirements),
          ])
    }
  }

  extension LoadingBudget.Statistics {
    /// The metrics of sources that are being loaded.
    var metrics: [CollectedMetric] {
      CollectedMetric.gauges(
        "nuke_loading_",
        [
          ("source_bytes", "Bytes of sources that are being loaded, small ones left out.", bytes),
          ("source_limit_bytes", "Bytes that these may be.", limit),
          ("sources_paused", "Sources that wait for room while they are being loaded.", paused),
        ])
        + CollectedMetric.counters(
          "nuke_loading_",
          [
            (
              "sources_given_up",
              "Sources given up while they were being loaded: they brought too little while others waited.", givenUp
            )
          ])
    }
  }

  extension SendingBudget.Statistics {
    /// The metrics of responses that are being sent.
    var metrics: [CollectedMetric] {
      CollectedMetric.gauges(
        "nuke_sending_",
        [
          ("answers", "Long answers, and connections that have not taken all that was written.", answers),
          ("bytes", "Bytes that are held for them.", bytes),
          ("limit_bytes", "Bytes that these may be.", limit),
        ])
        + CollectedMetric.counters(
          "nuke_sending_",
          [
            ("given_up", "Answers given up for others: their clients took nothing.", givenUp),
            ("refused", "Answers that there was no room for.", refused),
          ])
    }
  }

  extension S3DataCache.Statistics {
    /// The metrics of the S3 result cache.
    var metrics: [CollectedMetric] {
      let counters: [CollectedMetric.Row] = [
        ("hits", "Reads of the bucket that gave data.", hits),
        ("misses", "Reads of the bucket that gave none.", misses),
        (
          "refused", "Reads that the bucket refused, as it does what is not there where it may not be listed.", refusals
        ),
        ("errors", "Times that the bucket failed.", failures),
        ("skipped", "Reads that were not tried, after failures.", skipped),
        ("damaged", "Objects that were found damaged.", damaged),
        ("stored", "Objects written to the bucket.", writes),
        ("dropped", "Writes to the bucket that were given up.", dropped),
      ]
      let gauges: [CollectedMetric.Row] = [
        ("pending_bytes", "Bytes that wait to be written.", pendingBytes),
        ("up", "Whether the bucket is asked: 0 after failures.", isResting ? 0 : 1),
      ]
      return CollectedMetric.counters("nuke_s3_", counters) + CollectedMetric.gauges("nuke_s3_", gauges)
    }
  }

  #if Redis
    extension RedisDataCache.Statistics {
      /// The metrics of Redis.
      var metrics: [CollectedMetric] {
        let counters: [CollectedMetric.Row] = [
          ("hits", "Reads of Redis that gave data.", hits),
          ("misses", "Reads of Redis that gave none.", misses),
          ("errors", "Times that Redis failed.", errors),
          ("stored", "Values stored in Redis.", stored),
          ("dropped", "Values not stored in Redis.", dropped),
        ]
        return CollectedMetric.counters("nuke_redis_", counters)
          + CollectedMetric.gauges("nuke_redis_", [("up", "Whether Redis is asked: 0 after failures.", isOpen ? 0 : 1)])
          + CollectedMetric.counters(
            "nuke_service_", [("leases_lost", "Times that a lease was lost before the work was done.", leasesLost)])
      }
    }
  #endif

  /// The descriptions of the metrics.
  enum MetricDescriptions {
    static func add(to registry: PrometheusRegistry) {
      for (name, help) in all { registry.describe(name, help) }
    }

    private static let all = [
      ("nuke_http_requests_total", "Requests that were answered, by route, method and status."),
      ("nuke_http_requests_active", "Requests that are being answered."),
      ("nuke_http_request_duration_seconds", "Seconds from a request to its answer's first byte, by route."),
      ("nuke_http_response_bytes_total", "Bytes of answers, without their heads."),
      ("nuke_renditions_total", "Images that were sent, by where they were found."),
      ("nuke_rendition_duration_seconds", "Seconds that finding or making an image took, by where it was found."),
      ("nuke_rendition_errors_total", "Requests for images that have none, by reason."),
      ("nuke_loads_total", "Loads of the pipeline, by how they ended and where the data came from."),
      ("nuke_load_duration_seconds", "Seconds that loads took, by where the data came from."),
      ("nuke_loaded_bytes_total", "Bytes of sources, by where they came from."),
      ("nuke_joined_loads_total", "Loads that shared their work with another."),
      ("nuke_stage_duration_seconds", "Seconds that stages of loads took."),
      ("nuke_cache_lookups_total", "Looks into caches of the pipeline, by what came of them."),
      ("nuke_queue_waiting", "Work that waits for its turn, by queue."),
      ("nuke_queue_running", "Work that runs, by queue."),
      ("nuke_loads_active", "Loads that run."),
      ("nuke_memory_cache_bytes", "Bytes of images in the pipeline's memory cache."),
      ("nuke_memory_cache_images", "Images in the pipeline's memory cache."),
    ]
  }
#endif
