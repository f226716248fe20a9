package import CoreMetrics

/// The timers of the requests to a store on another machine, by operation and outcome.
package struct RequestDurations<Operation>: Sendable
where Operation: CaseIterable & Hashable & RawRepresentable<String> & Sendable {
  private struct Outcomes: Sendable {
    let success: CoreMetrics.Timer
    let failure: CoreMetrics.Timer
  }

  private let timers: [Operation: Outcomes]

  /// - Parameter label: the name of the metric. It ends with the unit, `_seconds`.
  package init(_ label: String, _ factory: any MetricsFactory) {
    func timer(_ operation: Operation, _ outcome: String) -> CoreMetrics.Timer {
      CoreMetrics.Timer(
        label: label, dimensions: [("operation", operation.rawValue), ("outcome", outcome)], factory: factory)
    }
    // All are created at once, so that a series exists before its first request.
    timers = Dictionary(
      uniqueKeysWithValues: Operation.allCases.map { operation in
        (operation, Outcomes(success: timer(operation, "success"), failure: timer(operation, "failure")))
      })
  }

  package func record(_ operation: Operation, isSuccess: Bool, seconds: Double) {
    guard let outcomes = timers[operation] else { return }
    (isSuccess ? outcomes.success : outcomes.failure).recordSeconds(seconds)
  }
}
