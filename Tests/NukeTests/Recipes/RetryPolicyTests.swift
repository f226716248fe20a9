import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The retry policy")
struct RetryPolicyTests {
  private static func failed(_ error: any Error) -> ImagePipeline.Error { .dataLoadingFailed(error: error) }
  private let lost = failed(DataLoader.TransferError.connectionLost(host: "a", reason: "reset"))

  @Test(
    "Temporary errors are retried",
    arguments: [
      DataLoader.TransferError.cannotResolveHost("a"), .cannotConnect(host: "a", reason: "refused"),
      .connectionLost(host: "a", reason: "reset"), .timedOut(.idle, host: "a", seconds: 1),
    ])
  func transient(error: DataLoader.TransferError) { #expect(RetryPolicy.isTransient(Self.failed(error))) }

  @Test("Temporary statuses are retried, and no others", arguments: 300...600)
  func statuses(_ status: Int) {
    let isTransient = status == 408 || status == 429 || (500...599).contains(status) && ![501, 505].contains(status)
    let error = Self.failed(DataLoader.Error.statusCodeUnacceptable(status))
    #expect(RetryPolicy.isTransient(error) == isTransient)
  }

  @Test(
    "Permanent errors are not retried",
    arguments: [
      DataLoader.TransferError.cancelled, .certificateNotTrusted(host: "a", reason: "expired"),
      .tlsFailed(host: "a", reason: "expired"), .tooManyRedirects(limit: 20), .unsupportedScheme("x"),
      .fileNotFound(path: "/a"), .bodyTooLarge(limit: 1), .protocolError(host: "a", reason: "nonsense"),
    ])
  func lasting(error: DataLoader.TransferError) { #expect(!RetryPolicy.isTransient(Self.failed(error))) }

  @Test("URLErrors of custom loaders are recognized, and other errors are not")
  func otherLoaders() {
    #expect(RetryPolicy.isTransient(Self.failed(URLError(.timedOut))))
    #expect(RetryPolicy.isTransient(Self.failed(URLError(.networkConnectionLost))))
    #expect(!RetryPolicy.isTransient(Self.failed(URLError(.cancelled))))
    #expect(!RetryPolicy.isTransient(Self.failed(Refusal())))
  }

  @Test("Failures of other stages are not retried")
  func otherFailures() {
    let context = ImageDecodingContext(request: "http://a.test/", data: Data())
    let decoding = ImagePipeline.Error.decodingFailed(
      decoder: ImageDecoders.Empty(), context: context, error: Refusal())
    for error in [decoding, .cancelled, .dataIsEmpty, .imageRequestMissing, .pipelineInvalidated] {
      #expect(!RetryPolicy.isTransient(error))
    }
  }

  @Test("Delays double up to a limit, and the number of retries is limited")
  func delays() {
    let policy = RetryPolicy(maxRetryCount: 5, initialDelay: 1, maximumDelay: 6)
    let longest = (0...5).map { policy.delay(after: lost, retryCount: $0, random: 1) }
    #expect(longest == [1, 2, 4, 6, 6, nil])
    let half = (0..<3).map { policy.delay(after: lost, retryCount: $0, random: 0.5) }
    #expect(half == [0.5, 1, 2])
    #expect(policy.delay(after: lost, retryCount: 0, random: 0) == 0)
  }

  @Test("A delay includes the server's Retry-After, unless that is too long")
  func retryAfter() {
    var policy = RetryPolicy(initialDelay: 1, maximumDelay: 10)
    policy.retryAfter = { _ in 8 }
    #expect(policy.delay(after: lost, retryCount: 0, random: 0.25) == 8.25)
    policy.retryAfter = { _ in 11 }
    #expect(policy.delay(after: lost, retryCount: 0, random: 0.25) == nil)
    policy.retryAfter = { _ in -3 }
    #expect(policy.delay(after: lost, retryCount: 0, random: 0.25) == 0.25)
  }

  @Test("The program can decide which errors are retried")
  func ownErrors() {
    var policy = RetryPolicy()
    policy.isWorthRetrying = { $0.dataLoadingError is Refusal }
    #expect(policy.delay(after: Self.failed(Refusal()), retryCount: 0, random: 1) == 0.5)
    #expect(policy.delay(after: lost, retryCount: 0, random: 1) == nil)
  }

  @Test("A delay that is not a number is zero", arguments: [-1, -TimeInterval.infinity, .nan])
  func strangeDelays(seconds: TimeInterval) {
    let policy = RetryPolicy(initialDelay: seconds, maximumDelay: 10)
    #expect(policy.delay(after: lost, retryCount: 0, random: 1) == 0)
    let limited = RetryPolicy(initialDelay: .infinity, maximumDelay: 10)
    #expect(limited.delay(after: lost, retryCount: 2, random: 1) == 10)
  }
}
