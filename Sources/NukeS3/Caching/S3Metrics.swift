import CoreMetrics
import Nuke

/// The duration of requests to a store, by operation and outcome.
struct S3Metrics: Sendable {
  enum Operation: String, CaseIterable, Sendable {
    case get, head, put, delete, list
  }

  private enum Outcome: String, CaseIterable { case success, failure }

  /// First by operation, then by outcome.
  private let durations: [[CoreMetrics.Timer]]

  init(_ factory: any MetricsFactory) {
    durations = Operation.allCases.map { operation in
      Outcome.allCases.map { outcome in
        Timer(
          label: "nuke_s3_request_duration_seconds",
          dimensions: [("operation", operation.rawValue), ("outcome", outcome.rawValue)], factory: factory)
      }
    }
  }

  func ended(_ operation: Operation, isSuccess: Bool, seconds: Double) {
    let place = Operation.allCases.firstIndex(of: operation)!
    durations[place][isSuccess ? 0 : 1].recordSeconds(seconds)
  }
}
