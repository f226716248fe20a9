package import Foundation

/// The progress of a run: the running downloads, and the totals. Times are seconds on a clock of the caller's choice.
package struct ProgressState: Sendable {
  /// A running download.
  package struct Download: Sendable {
    package let id: Int
    package let name: String
    package fileprivate(set) var completed: Int64 = 0
    /// The total number of bytes; 0 if it is not known.
    package fileprivate(set) var total: Int64 = 0
    var meter: RateMeter

    /// The progress of the download, from 0 to 1; `nil` if the total is not known.
    var fraction: Double? {
      total > 0 ? min(1, Double(completed) / Double(total)) : nil
    }

    func secondsLeft(at now: TimeInterval) -> TimeInterval? {
      guard total > completed, let rate = meter.rate(at: now), rate > 0 else { return nil }
      return Double(total - completed) / rate
    }
  }

  /// The number of all loads, ended ones included.
  package let count: Int
  package let startedAt: TimeInterval
  /// The running downloads, in the order in which they started.
  package private(set) var downloads: [Download] = []
  package private(set) var finishedCount = 0
  package private(set) var failedCount = 0
  private var finishedBytes: Int64 = 0
  private var meter: RateMeter

  package init(count: Int, startedAt now: TimeInterval) {
    self.count = count
    startedAt = now
    meter = RateMeter(startedAt: now)
  }

  /// The number of bytes that were received or read.
  package var bytes: Int64 { downloads.reduce(finishedBytes) { $0 + $1.completed } }

  /// The progress of all loads, from 0 to 1. A running download contributes its own fraction.
  package var fraction: Double {
    guard count > 0 else { return 1 }
    let parts = downloads.reduce(Double(finishedCount)) { $0 + ($1.fraction ?? 0) }
    return min(1, parts / Double(count))
  }

  package func rate(at now: TimeInterval) -> Double? { meter.rate(at: now) }

  /// Estimates the remaining seconds by the duration so far.
  package func secondsLeft(at now: TimeInterval) -> TimeInterval? {
    guard fraction > 0, fraction < 1, now > startedAt else { return nil }
    return (now - startedAt) * (1 - fraction) / fraction
  }

  package mutating func begin(_ id: Int, name: String, at now: TimeInterval) {
    downloads.append(Download(id: id, name: name, meter: RateMeter(startedAt: now)))
  }

  package mutating func update(_ id: Int, completed: Int64, total: Int64, at now: TimeInterval) {
    guard let index = downloads.firstIndex(where: { $0.id == id }) else { return }
    downloads[index].completed = completed
    downloads[index].total = max(0, total)
    downloads[index].meter.record(completed, at: now)
    meter.record(bytes, at: now)
  }

  /// - Parameter bytes: the size of the data. Local files and cached data are not reported while they are read.
  package mutating func end(_ id: Int, failed: Bool, bytes: Int64 = 0, at now: TimeInterval) {
    guard let index = downloads.firstIndex(where: { $0.id == id }) else { return }
    finishedBytes += max(downloads.remove(at: index).completed, bytes)
    finishedCount += 1
    if failed { failedCount += 1 }
    meter.record(self.bytes, at: now)
  }

  /// Counts a load that had no bar.
  package mutating func count(bytes: Int64, failed: Bool, at now: TimeInterval) {
    finishedBytes += bytes
    finishedCount += 1
    if failed { failedCount += 1 }
    meter.record(self.bytes, at: now)
  }
}
