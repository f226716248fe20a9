import Foundation
import NukeBase
import NukeServing

/// Remembers the sources that have crashed workers. A source that has crashed two workers is refused for an hour.
final class FatalSources: Sendable {
  private struct Entry {
    var count = 0
    var end: Duration
    /// Increases with each recorded crash, even if the clock has not advanced.
    var number: Int
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
  }

  static let start = ContinuousClock.now
  static let refusal = ServingError.notAnImage("it has crashed two workers of the sandbox")

  private static let lifetime = Duration.seconds(3600)
  private static let limit = 1024
  private static let refusedCount = 2

  private let state = Lock(State())
  private let clock: @Sendable () -> Duration

  /// - Parameter clock: a monotonic clock.
  init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

  /// Throws if a source is refused. Does no work until a worker has crashed.
  func check(_ source: Data) throws(ServingError) {
    guard state.withLock({ !$0.entries.isEmpty }) else { return }
    let (key, now) = (Self.key(of: source), clock())
    let isRefused = state.withLock { state in
      guard let entry = state.entries[key] else { return false }
      if entry.end <= now { state.entries[key] = nil }
      return entry.end > now && entry.count >= Self.refusedCount
    }
    if isRefused { throw Self.refusal }
  }

  /// Records that a source has crashed a worker.
  ///
  /// - Returns: `true` if the source is refused from now on.
  func note(_ source: Data) -> Bool {
    let (key, now) = (Self.key(of: source), clock())
    return state.withLock { state in
      state.entries = state.entries.filter { $0.value.end > now }
      if state.entries.count >= Self.limit, let oldest = state.entries.min(by: { $0.value.number < $1.value.number }) {
        state.entries[oldest.key] = nil
      }
      let count = (state.entries[key]?.count ?? 0) + 1
      state.lastNumber += 1
      state.entries[key] = Entry(count: count, end: now + Self.lifetime, number: state.lastNumber)
      return count >= Self.refusedCount
    }
  }

  /// Returns a keyed hash, SipHash with a secret of this process, of all bytes: nobody can make a source whose key equals
  /// that of another one, which would then be refused too.
  private static func key(of source: Data) -> Int {
    var hasher = Hasher()
    source.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
