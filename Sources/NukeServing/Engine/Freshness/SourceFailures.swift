import Foundation
import NukeHTTPCaching
import NukeImaging

/// Remembers failed sources for a short time, so that a broken source does not cause one download for each request.
final class SourceFailures: Sendable {
  private struct Failure {
    let error: ServingError
    let until: Timestamp
  }

  private let failures = Lock(RecentTable<String, Failure>(limit: 8192))
  private let missingSeconds: Int
  private let failedSeconds: Int

  /// - Parameters:
  ///   - missingSeconds: how long to remember a source that does not exist or is not an image.
  ///   - failedSeconds: how long to remember a failure that may be temporary.
  init(missingSeconds: Int, failedSeconds: Int) {
    self.missingSeconds = missingSeconds
    self.failedSeconds = failedSeconds
  }

  /// Returns the remembered error of a source; `nil` if there is none.
  func error(of name: String, now: Timestamp) -> ServingError? {
    failures.withLock { failures in
      guard let failure = failures[name] else { return nil }
      if now < failure.until { return failure.error }
      failures[name] = nil
      return nil
    }
  }

  func note(_ error: ServingError, of name: String, now: Timestamp) {
    guard let seconds = seconds(for: error), seconds > 0 else { return }
    let until = Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    failures.withLock { $0[name] = Failure(error: error, until: until) }
  }

  /// Returns how long an error is remembered; `nil` for errors that the source did not cause.
  private func seconds(for error: ServingError) -> Int? {
    switch error {
    case .sourceNotFound, .notAnImage, .tooLarge: missingSeconds
    case .sourceFailed, .sourceTimedOut: failedSeconds
    case .malformedURL, .invalidOption, .wrongSignature, .expired, .sourceNotAllowed, .cannotWrite, .overloaded,
      .shuttingDown, .deadlineExceeded, .cancelled, .failed:
      nil
    }
  }
}
