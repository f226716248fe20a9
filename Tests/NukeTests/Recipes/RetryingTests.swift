import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

@Suite("Retried loads", .timeLimit(.minutes(1)))
struct RetryingTests {
  private let url = imageURL("a.png")
  private let loader = FakeDataLoader()
  private let log = CallLog()
  private let origins = Origins()
  private let lost = FakeDataLoader.Answer.failure(DataLoader.TransferError.connectionLost(host: "a", reason: "reset"))
  private let image = FakeDataLoader.Answer.data(SampleImage.png(width: 5, height: 1))

  /// Waits take no time, and are noted.
  private func width(
    _ policy: RetryPolicy = RetryPolicy(), sleep: (@Sendable (TimeInterval) async throws -> Void)? = nil
  ) async throws(ImagePipeline.Error) -> Int {
    let pipeline = ImagePipeline.fake(loader: loader)
    let noting: @Sendable (TimeInterval) async throws -> Void = { [log] seconds in log.append("\(seconds)") }
    return try await pipeline.response(
      for: ImageRequest(url: url), retrying: policy, sleep: sleep ?? noting, random: { 1 }
    ).image.pixelWidth
  }

  /// Answers with an error first, which asks to wait for seven seconds, and then with the image.
  private func busyOnce(status: Int) throws -> NukeOrigin {
    let counter = CallCounter()
    return try origins.start { _ in
      counter.next() == 1
        ? .init(status: status, headers: [("Retry-After", "7")]) : .data(SampleImage.png(width: 5, height: 1))
    }
  }

  @Test("A successful first attempt is returned")
  func first() async throws {
    loader.answer(url, with: image)
    #expect(try await width() == 5)
    #expect(log.entries == [])
  }

  @Test("Failed attempts are retried with increasing delays")
  func some() async throws {
    loader.answer(url, with: lost, lost, .failure(DataLoader.Error.statusCodeUnacceptable(503)), image)
    #expect(try await width() == 5)
    #expect(log.entries == ["0.5", "1.0", "2.0"])
    #expect(loader.requests.count == 4)
  }

  @Test("After the maximum number of retries, the last error is thrown")
  func givingUp() async {
    loader.answer(url, with: lost, .failure(DataLoader.Error.statusCodeUnacceptable(500)))
    let error = await loadFailure(try await width(RetryPolicy(maxRetryCount: 2)))
    #expect(error?.dataLoadingError as? DataLoader.Error == .statusCodeUnacceptable(500))
    #expect(loader.requests.count == 3)
  }

  @Test("A permanent failure is thrown at once")
  func refused() async {
    loader.answer(url, with: .failure(DataLoader.Error.statusCodeUnacceptable(404)), image)
    let error = await loadFailure(try await width())
    #expect(error?.dataLoadingError as? DataLoader.Error == .statusCodeUnacceptable(404))
    #expect(loader.requests.count == 1)
    #expect(log.entries == [])
  }

  @Test("Damaged data fails at once")
  func damaged() async throws {
    loader.answer(url, with: .data(Data("not an image".utf8)), image)
    let error = await loadFailure(try await width())
    guard case .decodingFailed? = error else { throw Unexpected(error) }
    #expect(loader.requests.count == 1)
  }

  @Test("Canceling the task ends the delay")
  func cancelledWaiting() async throws {
    loader.answer(url, with: lost)
    let waiting = NukeTesting.Gate()
    let task = Task {
      await loadFailure(
        try await width { _ in
          await waiting.wait()
          try Task.checkCancellation()
        })
    }
    await waiting.arrivals(count: 1)
    task.cancel()
    let error = try await task.value
    guard case .cancelled? = error else { throw Unexpected(error) }
    #expect(loader.requests.count == 1)
  }

  @Test("Canceling the task ends the attempt")
  func cancelledLoading() async throws {
    loader.answer(url, with: image.held(by: NukeTesting.Gate()))
    let task = Task { await loadFailure(try await width()) }
    await loader.requests(count: 1)
    task.cancel()
    let error = try await task.value
    guard case .cancelled? = error else { throw Unexpected(error) }
    await loader.cancelledRequests(count: 1)
    #expect(log.entries == [])
  }

  @Test("A custom loader's delay is respected")
  func retryAfter() async throws {
    struct Busy: Error { let seconds: TimeInterval }
    let origin = try busyOnce(status: 429)
    let pipeline = ImagePipeline.fake(
      loader: DataLoader(
        configuration: .init(),
        validate: { response in
          guard let response = response as? HTTPURLResponse, response.statusCode == 429 else { return nil }
          return Busy(seconds: response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init) ?? 0)
        }))
    var policy = RetryPolicy()
    policy.isWorthRetrying = { RetryPolicy.isTransient($0) || $0.dataLoadingError is Busy }
    policy.retryAfter = { ($0.dataLoadingError as? Busy)?.seconds }
    let response = try await pipeline.response(
      for: ImageRequest(url: origin.url("/a.png")), retrying: policy, sleep: { [log] in log.append("\($0)") },
      random: { 1 })
    #expect(response.image.pixelWidth == 5)
    #expect(log.entries == ["7.5"])
  }

  @Test("Retry-After is respected by default")
  func retryAfterByItself() async throws {
    let origin = try busyOnce(status: 503)
    let response = try await ImagePipeline.fake(loader: makeLoader()).response(
      for: ImageRequest(url: origin.url("/a.png")), retrying: RetryPolicy(), sleep: { [log] in log.append("\($0)") },
      random: { 1 })
    #expect(response.image.pixelWidth == 5)
    #expect(log.entries == ["7.5"])
  }

  @Test("Without injected dependencies, real time passes")
  func earnest() async throws {
    loader.answer(url, with: lost, image)
    let pipeline = ImagePipeline.fake(loader: loader)
    let policy = RetryPolicy(initialDelay: 0)
    #expect(try await pipeline.response(for: ImageRequest(url: url), retrying: policy).image.pixelWidth == 5)
  }
}
