public import Foundation
import NukeHTTP

/// The number of retries of a load or a transfer, the errors after which it is retried, and the delays.
///
/// The delay is random, up to a limit that doubles with each attempt ("full jitter"). So clients that fail together do
/// not retry together.
///
/// A ``DataLoader`` calls the closures of its policy on a thread for program code, which may take some time. The
/// transfer waits for the answer, and other transfers continue.
public struct RetryPolicy: Sendable {
  /// The maximum number of retries. The default is 3.
  public var maxRetryCount: Int
  /// The maximum of the first delay, in seconds. The default is 0.5.
  public var initialDelay: TimeInterval
  /// The maximum of any delay, in seconds. The default is 30.
  public var maximumDelay: TimeInterval

  /// Returns `true` if a retry may help after an error. The default is ``isTransient(_:)``.
  public var isWorthRetrying: @Sendable (ImagePipeline.Error) -> Bool = RetryPolicy.isTransient

  /// Returns the delay that the server requires, in seconds, from an error of a custom loader. The default, `nil`, uses
  /// the `Retry-After` field that ``DataLoader`` reports.
  ///
  /// The delay is extended by it. If the server requires more than ``maximumDelay``, there is no retry.
  public var retryAfter: @Sendable (ImagePipeline.Error) -> TimeInterval? = { _ in nil }

  /// Creates a policy that retries after transient errors.
  public init(maxRetryCount: Int = 3, initialDelay: TimeInterval = 0.5, maximumDelay: TimeInterval = 30) {
    self.maxRetryCount = maxRetryCount
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// Returns `true` if an error may be transient: a host that was not found or reached, a lost connection, a timeout,
  /// or a response with status 408, 429 or 5xx (except 501 and 505, which are permanent).
  ///
  /// Other refusals, such as status 404, and damaged data are permanent.
  public static func isTransient(_ error: ImagePipeline.Error) -> Bool {
    guard case .dataLoadingFailed(let error) = error else { return false }
    if let status = error.unacceptableStatus { return isTransient(status: status) }
    return error.isDisconnection
  }

  private static func isTransient(status: Int) -> Bool {
    switch status {
    case 408, 429: true
    case 501, 505: false
    default: (500..<600).contains(status)
    }
  }

  /// Returns the seconds to wait before the next retry; `nil` for no retry.
  ///
  /// - Parameters:
  ///   - retryCount: the number of retries so far.
  ///   - serverDelay: the seconds in the `Retry-After` field.
  ///   - random: a number from 0 to 1.
  package func delay(
    after error: ImagePipeline.Error, retryCount: Int, serverDelay: TimeInterval? = nil, random: Double
  ) -> TimeInterval? {
    guard retryCount < maxRetryCount, isWorthRetrying(error) else { return nil }
    return Backoff(maxRetryCount: maxRetryCount, initialDelay: initialDelay, maximumDelay: maximumDelay)
      .delay(retryCount: retryCount, shortest: retryAfter(error) ?? serverDelay ?? 0, random: random)
  }
}

extension RetryPolicy: TransferRetrying {
  package func delay(
    afterTransferError error: any Swift.Error, retryCount: Int, serverDelay: TimeInterval?, random: Double
  ) -> TimeInterval? {
    delay(after: .dataLoadingFailed(error: error), retryCount: retryCount, serverDelay: serverDelay, random: random)
  }
}
