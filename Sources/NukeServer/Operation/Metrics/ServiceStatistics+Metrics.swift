#if Server
  import NukeServing

  extension ServiceStatistics {
    /// The metrics of the rendition service.
    var metrics: [CollectedMetric] {
      counters + gauges + [
        CollectedMetric(
          "nuke_service_stage_seconds", .histogram, "Seconds that parts of the work on requests took.",
          Stage.allCases.compactMap { stage in
            stages[stage].map { histogram in
              (
                labels: [("stage", stage.rawValue)],
                value: MetricValue.histogram(
                  bounds: Histogram.bounds, counts: histogram.counts.map(UInt64.init), sum: histogram.sum)
              )
            }
          })
      ]
    }

    private var counters: [CollectedMetric] {
      let all: [(String, String, Int)] = [
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
      return all.map { CollectedMetric("nuke_service_\($0)_total", .counter, $1, Double($2)) }
    }

    private var gauges: [CollectedMetric] {
      let all: [(String, String, Int)] = [
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
      return all.map { CollectedMetric("nuke_service_\($0)", .gauge, $1, Double($2)) }
    }
  }
#endif
