#if Server
  import Nuke
  import NukeS3
  import NukeSandbox
  import NukeServing

  #if Redis
    import NukeRedis
  #endif

  // Metrics that are read on request.

  extension CollectedMetric {
    typealias Row = (name: String, help: String, value: Int)

    /// Returns counters. The prefix and the suffix `_total` are added to their names.
    static func counters(_ prefix: String, _ rows: [Row]) -> [Self] {
      rows.map { Self("\(prefix)\($0.name)_total", .counter, $0.help, Double($0.value)) }
    }

    /// Returns gauges. The prefix is added to their names.
    static func gauges(_ prefix: String, _ rows: [Row]) -> [Self] {
      rows.map { Self(prefix + $0.name, .gauge, $0.help, Double($0.value)) }
    }
  }

  extension ServiceStatistics {
    /// The metrics of the rendition service.
    var metrics: [CollectedMetric] {
      let counters: [CollectedMetric.Row] = [
        ("stale", "Stale responses sent during the validation of their source.", stale),
        ("degraded", "Stale or smaller responses sent instead of an error.", degraded),
        ("rendered", "Images rendered.", renditions),
        ("rendered_bytes", "Bytes of rendered images.", renditionBytes),
        ("sources", "Sources loaded.", sources),
        ("source_bytes", "Bytes of loaded sources.", sourceBytes),
        (
          "sources_unchanged", "Sources validated as unchanged, without loading them again.",
          sourcesUnchanged
        ),
        ("renewals", "Stale renditions renewed, as their source has not changed.", renewals),
        ("remembered_failures", "Requests rejected because their source failed shortly before.", rememberedFailures),
        ("shared_failures", "Failures of sources learned from other nodes.", sharedFailures),
        ("purges", "Purges requested from this node.", purges),
        ("lease_waits", "Waits for another node.", leaseWaits),
        ("leases_unavailable", "Failed attempts to request a lease.", leasesUnavailable),
        ("store_timeouts", "Store look-ups that timed out.", storeTimeouts),
        ("store_damaged", "Damaged renditions found in stores.", storeDamaged),
        ("store_drops", "Renditions not stored because too many writes were pending.", storeDrops),
      ]
      let gauges: [CollectedMetric.Row] = [
        ("in_flight", "Running requests and renewals.", inFlight),
        ("loading", "Requests that load their source or wait for another node.", loading),
        ("waiting", "Requests waiting for capacity.", waiting),
        ("running", "Requests being rendered.", running),
        ("decode_budget_used_bytes", "Bytes of the decode budget in use.", budgetUsed),
        ("decode_budget_bytes", "Size of the decode budget in bytes.", budget),
        ("held_source_bytes", "Bytes of sources held in memory.", heldSourceBytes),
        ("memory_store_files", "Renditions in memory.", memoryCount),
        ("memory_store_bytes", "Bytes of renditions in memory.", memoryBytes),
        ("memory_store_limit_bytes", "Maximum bytes of renditions in memory.", memoryLimit),
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
          "nuke_request_stage_duration_seconds", .histogram, "Duration of the stages of requests, in seconds.",
          histograms)
      ]
    }
  }

  extension CollectedMetric {
    /// The version of the server, and the traits that it was built with.
    static var buildInfo: Self {
      Self(
        "nuke_build_info", .gauge, "1, with the version and the traits as labels.",
        [([("version", PackageVersion.current), ("traits", PackageTraits.enabled.joined(separator: ","))], .number(1))])
    }
  }

  extension SandboxStatistics {
    /// The metrics of the sandbox.
    var metrics: [CollectedMetric] {
      CollectedMetric.gauges(
        "nuke_sandbox_",
        [
          ("workers", "Worker processes.", workers),
          ("busy", "Busy worker processes.", busy),
          ("waiting", "Jobs waiting for a worker process.", waiting),
        ])
        + CollectedMetric.counters(
          "nuke_sandbox_",
          [
            ("starts", "Worker processes started.", starts),
            ("answers", "Jobs completed: plans, images and image information.", answers),
            ("crashes", "Worker processes that crashed, or sent an invalid answer.", crashes),
            ("overruns", "Worker processes killed after the time limit.", overruns),
            ("retirements", "Worker processes replaced for their age or memory use.", retirements),
          ])
    }
  }

  extension LoadingBudget.Statistics {
    /// The metrics of sources that are loading.
    var metrics: [CollectedMetric] {
      CollectedMetric.gauges(
        "nuke_loading_",
        [
          ("source_bytes", "Bytes of sources being loaded, except for small ones.", bytes),
          ("source_limit_bytes", "Maximum bytes of sources being loaded.", limit),
          ("sources_paused", "Downloads of sources paused until there is room.", paused),
        ])
        + CollectedMetric.counters(
          "nuke_loading_",
          [
            (
              "sources_given_up",
              "Downloads of sources aborted for being slow while others waited.", aborted
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
          ("answers", "Long responses, and connections with unsent data.", responses),
          ("bytes", "Bytes held for long responses.", bytes),
          ("limit_bytes", "Maximum bytes held for long responses.", limit),
        ])
        + CollectedMetric.counters(
          "nuke_sending_",
          [
            ("given_up", "Responses aborted in favor of others, as their clients did not read.", aborted),
            ("refused", "Responses rejected for lack of room.", rejected),
          ])
    }
  }

  extension S3DataCache.Statistics {
    /// The metrics of the S3 result cache.
    var metrics: [CollectedMetric] {
      let counters: [CollectedMetric.Row] = [
        ("hits", "Bucket reads that found data.", hits),
        ("misses", "Bucket reads that found none.", misses),
        (
          "refused", "Bucket reads answered with 403, also for missing objects without s3:ListBucket.", refusals
        ),
        ("errors", "Failed bucket requests.", failures),
        ("skipped", "Bucket reads skipped after failures.", skipped),
        ("damaged", "Damaged objects found.", damaged),
        ("stored", "Objects written to the bucket.", writes),
        ("dropped", "Bucket writes dropped because of size limits or failures of the bucket.", dropped),
      ]
      let gauges: [CollectedMetric.Row] = [
        ("pending_bytes", "Bytes waiting to be written.", pendingBytes),
        ("up", "1 if the bucket is in use, 0 after failures.", isResting ? 0 : 1),
      ]
      return CollectedMetric.counters("nuke_s3_", counters) + CollectedMetric.gauges("nuke_s3_", gauges)
    }
  }

  #if Redis
    extension RedisDataCache.Statistics {
      /// The metrics of Redis.
      var metrics: [CollectedMetric] {
        let counters: [CollectedMetric.Row] = [
          ("hits", "Redis reads that found data.", hits),
          ("misses", "Redis reads that found none.", misses),
          ("errors", "Failed Redis commands.", errors),
          ("stored", "Values stored in Redis.", stored),
          ("dropped", "Values dropped because of size limits or failures of Redis.", dropped),
        ]
        return CollectedMetric.counters("nuke_redis_", counters)
          + CollectedMetric.gauges("nuke_redis_", [("up", "1 if Redis is in use, 0 after failures.", isOpen ? 0 : 1)])
          + CollectedMetric.counters(
            "nuke_service_", [("leases_lost", "Leases lost before the work was completed.", leasesLost)])
      }
    }
  #endif

  /// The descriptions of the metrics.
  enum MetricDescriptions {
    static let all = [
      ("nuke_http_requests_total", "Requests completed, by route, method and status."),
      ("nuke_http_requests_active", "Requests in progress."),
      ("nuke_http_request_duration_seconds", "Seconds until the whole response was written, by route."),
      ("nuke_http_response_start_seconds", "Seconds until the response began, by route."),
      ("nuke_http_response_bytes_total", "Bytes of response bodies."),
      ("nuke_renditions_total", "Images sent, by where they were found."),
      ("nuke_rendition_duration_seconds", "Seconds to find or render an image, by where it was found."),
      ("nuke_rendition_errors_total", "Requests for images that failed, by reason."),
      ("nuke_loads_total", "Pipeline loads, by outcome and origin of the data."),
      ("nuke_load_duration_seconds", "Duration of pipeline loads in seconds, by origin of the data."),
      ("nuke_loaded_bytes_total", "Bytes of loaded data, by origin."),
      ("nuke_joined_loads_total", "Pipeline loads that joined another one."),
      ("nuke_stage_duration_seconds", "Duration of the stages of pipeline loads in seconds."),
      ("nuke_redis_request_duration_seconds", "Seconds until Redis replied, by operation and outcome."),
      ("nuke_s3_request_duration_seconds", "Seconds until the bucket responded, by operation and outcome."),
      ("nuke_cache_lookups_total", "Look-ups in the pipeline's caches, by result."),
      ("nuke_queue_waiting", "Work items waiting, by queue."),
      ("nuke_queue_running", "Work items running, by queue."),
      ("nuke_loads_active", "Pipeline loads in progress."),
      ("nuke_memory_cache_bytes", "Bytes of images in the pipeline's memory cache."),
      ("nuke_memory_cache_images", "Images in the pipeline's memory cache."),
    ]
  }
#endif
