#if Redis
  import CoreMetrics

  /// What commands are sent for, in metrics.
  package enum RedisOperation: String, CaseIterable, Sendable {
    case read, write, lease
  }

  /// The duration of requests, by operation and outcome.
  struct RedisMetrics: Sendable {
    private enum Outcome: String, CaseIterable { case success, failure }

    /// First by operation, then by outcome.
    private let durations: [[CoreMetrics.Timer]]

    init(_ factory: any MetricsFactory) {
      durations = RedisOperation.allCases.map { operation in
        Outcome.allCases.map { outcome in
          Timer(
            label: "nuke_redis_request_duration_seconds",
            dimensions: [("operation", operation.rawValue), ("outcome", outcome.rawValue)], factory: factory)
        }
      }
    }

    func ended(_ operation: RedisOperation, isSuccess: Bool, seconds: Double) {
      let place = RedisOperation.allCases.firstIndex(of: operation)!
      durations[place][isSuccess ? 0 : 1].recordSeconds(seconds)
    }
  }
#endif
