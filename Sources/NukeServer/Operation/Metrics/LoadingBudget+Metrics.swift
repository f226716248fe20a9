#if Server
  import NukeServing

  extension LoadingBudget.Statistics {
    /// For Prometheus.
    var metrics: [CollectedMetric] {
      [
        CollectedMetric(
          "nuke_loading_source_bytes", .gauge, "Bytes of sources that are being loaded, small ones left out.",
          Double(bytes)),
        CollectedMetric("nuke_loading_source_limit_bytes", .gauge, "Bytes that these may be.", Double(limit)),
        CollectedMetric(
          "nuke_loading_sources_paused", .gauge, "Sources that wait for room while they are being loaded.",
          Double(paused)),
        CollectedMetric(
          "nuke_loading_sources_given_up_total", .counter,
          "Sources given up while they were being loaded: they brought too little while others waited.",
          Double(givenUp)),
      ]
    }
  }
#endif
