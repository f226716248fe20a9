package import Foundation

/// Decides which failed transfers are retried, and when.
package protocol TransferRetrying: Sendable {
  /// The maximum number of retries.
  var maxRetryCount: Int { get }

  /// Returns the delay before the next attempt in seconds; `nil` if there is none. Called on a worker, because it may be
  /// code of the program.
  ///
  /// - Parameters:
  ///   - retryCount: the number of retries before.
  ///   - serverDelay: the delay that the server asked for, in seconds.
  ///   - random: a number from 0 to 1.
  func delay(
    afterTransferError error: any Error, retryCount: Int, serverDelay: TimeInterval?, random: Double
  ) -> TimeInterval?
}

/// Delays that double with each retry, multiplied by a random number ("full jitter"). A value type; times are in seconds.
package struct Backoff: Sendable {
  private let maxRetryCount: Int
  private let initialDelay: TimeInterval
  private let maximumDelay: TimeInterval

  package init(maxRetryCount: Int, initialDelay: TimeInterval, maximumDelay: TimeInterval) {
    self.maxRetryCount = maxRetryCount
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// Returns the delay before the next retry; `nil` if the number of retries or the maximum delay is exceeded.
  ///
  /// - Parameters:
  ///   - shortest: the delay that was asked for, to which the random one is added.
  ///   - random: a number from 0 to 1.
  package func delay(retryCount: Int, shortest: TimeInterval = 0, random: Double) -> TimeInterval? {
    guard retryCount < maxRetryCount, shortest <= maximumDelay else { return nil }
    let limit = min(initialDelay * exp2(Double(retryCount)), maximumDelay)
    let delay = max(shortest, 0) + max(limit, 0) * random
    // A delay that is not finite counts as 0.
    return delay.isFinite ? delay : 0
  }
}
