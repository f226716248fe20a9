import Foundation
import Nuke
import NukeImaging
import NukeServing

/// Remembers the sources that have ended workers. A source that has ended two of them is refused for an hour.
final class FatalSources: Sendable {
  private struct Entry {
    var count = 0
    var end: Duration
  }

  static let start = ContinuousClock.now
  static let refusal = ServingError.notAnImage("it has ended two workers of the sandbox")

  private static let lifetime = Duration.seconds(3600)
  private static let limit = 1024
  private static let refusedCount = 2

  private let entries = Lock<[UInt64: Entry]>([:])
  private let clock: @Sendable () -> Duration

  /// - Parameter clock: a monotonic clock.
  init(clock: @escaping @Sendable () -> Duration) { self.clock = clock }

  /// Throws if a source is refused. Costs nothing until a worker has ended.
  func check(_ source: Data) throws(ServingError) {
    guard entries.withLock({ !$0.isEmpty }) else { return }
    let (key, now) = (Digest.checksum(of: source), clock())
    let isRefused = entries.withLock { entries in
      guard let entry = entries[key] else { return false }
      if entry.end <= now { entries[key] = nil }
      return entry.end > now && entry.count >= Self.refusedCount
    }
    if isRefused { throw Self.refusal }
  }

  /// Notes that a source has ended a worker.
  ///
  /// - Returns: `true` if the source is refused from now on.
  func note(_ source: Data) -> Bool {
    let (key, now) = (Digest.checksum(of: source), clock())
    return entries.withLock { entries in
      entries = entries.filter { $0.value.end > now }
      if entries.count >= Self.limit, let first = entries.min(by: { $0.value.end < $1.value.end }) {
        entries[first.key] = nil
      }
      let count = (entries[key]?.count ?? 0) + 1
      entries[key] = Entry(count: count, end: now + Self.lifetime)
      return count >= Self.refusedCount
    }
  }
}
