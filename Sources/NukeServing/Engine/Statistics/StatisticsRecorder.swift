import NukeBase
import Synchronization

/// Counts the events of a service.
final class StatisticsRecorder: Sendable {
  private let statistics = Lock(ServiceStatistics())
  /// The number of memory hits, which are far more frequent than all other events.
  private let memoryHits = Atomic<Int>(0)
  private let clock: ServiceClock
  private let observer: StageObserver?

  /// - Parameter observer: receives the duration of each stage, in the task of the request.
  init(clock: ServiceClock, observer: StageObserver? = nil) {
    self.clock = clock
    self.observer = observer
  }

  func countMemoryHit() { memoryHits.add(1, ordering: .relaxed) }

  func count(_ counter: any WritableKeyPath<ServiceStatistics, Int> & Sendable, _ number: Int = 1) {
    statistics.withLock { $0[keyPath: counter] += number }
  }

  func count(_ error: ServingError) { statistics.withLock { $0.failures[error.name, default: 0] += 1 } }

  /// Records the duration of `body`, even if it throws.
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

  /// - Parameter ago: seconds since the end of the stage.
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

/// Receives the duration of a finished stage in seconds, and the seconds since its end. Called in the task of the
/// request that caused the work; if several requests joined, in the task of the first.
package typealias StageObserver = @Sendable (_ stage: ServiceStatistics.Stage, _ seconds: Double, _ ago: Double) -> Void

/// Receives the duration of a look-up in a store, in seconds, and the index of the store. Called in the same task as a
/// ``StageObserver``.
package typealias LookUpObserver = @Sendable (_ store: Int, _ seconds: Double) -> Void
