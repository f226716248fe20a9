public import Foundation

/// The number of retries of a load or a transfer, the errors after which it is retried, and the delays.
///
/// The wait is random, up to a limit that doubles with each try, so that many who failed together do not come back
/// together ("full jitter").
public struct RetryPolicy: Sendable {
  /// The most tries after the first. 3 by default.
  public var maxRetryCount: Int
  /// Seconds that the first wait takes at most. 0.5 by default.
  public var initialDelay: TimeInterval
  /// Seconds that any wait takes at most. 30 by default.
  public var maximumDelay: TimeInterval

  /// A Boolean value that indicates whether another try may help after an error. ``isTransient(_:)`` by default.
  public var isWorthRetrying: @Sendable (ImagePipeline.Error) -> Bool = RetryPolicy.isTransient

  /// Seconds that the server wants to be left alone, from an error of the program's own that tells; `nil`, the default,
  /// for what the response said in `Retry-After`, which ``DataLoader`` passes on.
  ///
  /// The wait is that much longer. A server that asks for more than ``maximumDelay`` is not asked again.
  public var retryAfter: @Sendable (ImagePipeline.Error) -> TimeInterval? = { _ in nil }

  /// A policy that tries again after errors that may pass.
  public init(maxRetryCount: Int = 3, initialDelay: TimeInterval = 0.5, maximumDelay: TimeInterval = 30) {
    self.maxRetryCount = maxRetryCount
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// Returns `true` if an error may pass by itself: a host that was not found or reached, a connection that was lost, a
  /// time limit that was passed, or an answer with status 408, 429 or 5xx (other than 501 and 505, which say what a
  /// server cannot do).
  ///
  /// What the server refuses, as with status 404, will be refused again, and damaged data will come again.
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

  /// Seconds to wait before another try; `nil` if there is to be none.
  ///
  /// - Parameters:
  ///   - retryCount: how often the load has been tried again so far.
  ///   - serverDelay: seconds that the response said in `Retry-After`.
  ///   - random: from 0 to 1.
  package func delay(
    after error: ImagePipeline.Error, retryCount: Int, serverDelay: TimeInterval? = nil, random: Double
  ) -> TimeInterval? {
    guard retryCount < maxRetryCount, isWorthRetrying(error) else { return nil }
    let wanted = retryAfter(error) ?? serverDelay ?? 0
    guard wanted <= maximumDelay else { return nil }
    let limit = min(initialDelay * exp2(Double(retryCount)), maximumDelay)
    let delay = max(wanted, 0) + max(limit, 0) * random
    // What is not a number is no reason to wait.
    return delay.isFinite ? delay : 0
  }
}
