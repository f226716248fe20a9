#if Server
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
