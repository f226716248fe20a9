import NukeImaging
import Synchronization

/// Counts what a service does.
final class StatisticsRecorder: Sendable {
  private let statistics = Lock(ServiceStatistics())
  /// The number of memory hits, which are far more frequent than all other events.
  private let memoryHits = Atomic<Int>(0)
  private let clock: ServiceClock
  private let observer: StageObserver?

  /// - Parameter observer: receives each stage, in the task of the request.
  init(clock: ServiceClock, observer: StageObserver? = nil) {
    self.clock = clock
    self.observer = observer
  }

  func countMemoryHit() { memoryHits.add(1, ordering: .relaxed) }

  func count(_ counter: any WritableKeyPath<ServiceStatistics, Int> & Sendable, _ number: Int = 1) {
    statistics.withLock { $0[keyPath: counter] += number }
  }

  func count(_ error: ServingError) { statistics.withLock { $0.failures[error.name, default: 0] += 1 } }

  /// Notes how long `body` takes, also where it fails.
  func measure<Result, Failure: Error>(
    _ stage: ServiceStatistics.Stage, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let start = clock.uptime()
    defer { note(stage, since: start) }
    return try await body()
  }

  func note(_ stage: ServiceStatistics.Stage, since start: Int) {
    note(stage, seconds: Double(clock.uptime() - start) / 1e9)
  }

  /// - Parameter ago: seconds since the stage's end.
  func note(_ stage: ServiceStatistics.Stage, seconds: Double, ago: Double = 0) {
    statistics.withLock { $0.stages[stage, default: Histogram()].note(seconds) }
    observer?(stage, seconds, ago)
  }

  var snapshot: ServiceStatistics {
    var snapshot = statistics.withLock { $0 }
    snapshot.memoryHits = memoryHits.load(ordering: .relaxed)
    return snapshot
  }
}

/// Is told of a stage that has come to its end, of its seconds, and how many seconds ago that was, in the task of the request
/// that it was done for: of several that wait for the same, the first.
package typealias StageObserver = @Sendable (_ stage: ServiceStatistics.Stage, _ seconds: Double, _ ago: Double) -> Void
