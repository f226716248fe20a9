import Foundation
import NukeBase
import NukeHTTPCaching

/// Remembers failed sources for a short time, so that a broken source does not cause one download for each request.
final class SourceFailures: Sendable {
  private struct Failure {
    let error: ServingError
    /// The last purge of the source before the work that failed.
    let purge: PurgeID?
    let until: Timestamp
    let cause: Cause
  }

  private enum Cause {
    /// A problem of this node, such as a lack of memory or of a connection.
    case node
    case source
    /// A failure of the source that another node has reported.
    case sourceOfOther
  }

  private let failures = Lock(RecentTable<String, Failure>(limit: 8192))
  private let missingSeconds: Int
  private let failedSeconds: Int

  /// - Parameters:
  ///   - missingSeconds: how long to remember a source that does not exist or is not an image.
  ///   - failedSeconds: how long to remember a failure that may be temporary.
  init(missingSeconds: Int, failedSeconds: Int) {
    self.missingSeconds = ServiceConfiguration.bounded(missingSeconds)
    self.failedSeconds = ServiceConfiguration.bounded(failedSeconds)
  }

  /// Returns the remembered error of a source; `nil` if there is none.
  ///
  /// - Parameter purge: the last purge of the source, before which failures do not count; `nil` to count all.
  func error(of name: String, after purge: PurgeID?, now: Timestamp) -> ServingError? {
    failure(of: name, after: purge, now: now)?.error
  }

  /// - Parameters:
  ///   - purge: the last purge of the source when the work began.
  ///   - isOfSource: `true` if every node would fail in the same way.
  func note(_ error: ServingError, of name: String, after purge: PurgeID?, isOfSource: Bool, now: Timestamp) {
    guard let seconds = seconds(for: error), seconds > 0 else { return }
    let until = Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    let failure = Failure(error: error, purge: purge, until: until, cause: isOfSource ? .source : .node)
    failures.withLock { $0[name] = failure }
  }

  private func failure(of name: String, after purge: PurgeID?, now: Timestamp) -> Failure? {
    failures.withLock { failures in
      guard let failure = failures[name] else { return nil }
      if now < failure.until { return purge == nil || failure.purge == purge ? failure : nil }
      failures[name] = nil
      return nil
    }
  }

  /// Returns how long an error is remembered; `nil` for errors that the source did not cause.
  private func seconds(for error: ServingError) -> Int? {
    SharedFailure.Kind(error).map { $0.isTemporary ? failedSeconds : missingSeconds }
  }

  // MARK: Other nodes

  /// Returns the failure that other nodes may be told; `nil` if there is none.
  func shared(of name: String, after purge: PurgeID?, now: Timestamp) -> SharedFailure? {
    guard let failure = failure(of: name, after: purge, now: now), failure.cause == .source,
      let kind = SharedFailure.Kind(failure.error)
    else { return nil }
    return SharedFailure(kind: kind, until: failure.until)
  }

  /// Returns `true` if there is a failure that all nodes share, whichever of them found it.
  func isShared(_ name: String, after purge: PurgeID?, now: Timestamp) -> Bool {
    failure(of: name, after: purge, now: now).map { $0.cause != .node } ?? false
  }

  /// Remembers the failure of another node.
  ///
  /// - Parameter purge: the last purge of the source.
  /// - Returns: the error; `nil` if the failure does not apply anymore, or if it lasts for longer than a failure of this
  ///   node would. The clocks of the nodes differ then.
  func learn(
    _ failure: SharedFailure, of name: String, after purge: PurgeID?, now: Timestamp
  ) -> ServingError? {
    let left = failure.until.milliseconds - now.milliseconds
    let error = failure.kind.error
    guard left > 0, let seconds = seconds(for: error), left <= seconds * 1000 else { return nil }
    let learned = Failure(error: error, purge: purge, until: failure.until, cause: .sourceOfOther)
    failures.withLock { $0[name] = learned }
    return error
  }
}
