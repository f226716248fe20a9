import Foundation
import NukeHTTPCaching
import NukeImaging

/// Remembers for a short while what cannot be had, so that a dead source costs no download for each request.
final class SourceFailures: Sendable {
  private struct Failure {
    let error: ServingError
    let until: Timestamp
  }

  private let failures = Lock(RecentTable<String, Failure>(limit: 8192))
  private let missingSeconds: Int
  private let failedSeconds: Int

  /// - Parameters:
  ///   - missingSeconds: for what is not there, or is no image.
  ///   - failedSeconds: for what may work the next time.
  init(missingSeconds: Int, failedSeconds: Int) {
    self.missingSeconds = missingSeconds
    self.failedSeconds = failedSeconds
  }

  /// Why `name` could not be had just now.
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

  /// `nil` for what says nothing of the source.
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
