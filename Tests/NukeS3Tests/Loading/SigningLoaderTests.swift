import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@testable import NukeS3

@Suite("A loader with temporary credentials", .timeLimit(.minutes(1)))
struct SigningLoaderTests {
  private let url = URL(string: "s3://images/a.jpg") ?? URL(fileURLWithPath: "/")
  private let origins = Origins()

  /// A service with the keys that the store accepts, and a token that contains the number of the request.
  private func makeService(_ before: @escaping @Sendable () -> Void = {}) -> FakeCredentialService {
    let count = Lock(0)
    return FakeCredentialService { _ in
      before()
      let number = count.withLock { count in
        count += 1
        return count
      }
      let keys = SigningOrigin.credentials
      return (
        200,
        FakeCredentialService.json(
          "token \(number)", accessKey: keys.accessKey, secretKey: keys.secretKey, expiration: 3600 * Double(number))
      )
    }
  }

  private func endpoint(_ store: SigningOrigin, _ provider: S3CredentialProvider) -> S3Endpoint {
    var endpoint = store.endpoint
    endpoint.credentials = .temporary(provider)
    return endpoint
  }

  private func tokens(_ store: SigningOrigin) -> [String?] {
    store.origin.log.requests.map { $0.header("x-amz-security-token") }
  }

  @Test("It signs with the fetched credentials, and with others after they have expired")
  func signing() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data("body".utf8)) }
    let service = makeService()
    let loader = S3DataLoader(
      endpoint: endpoint(store, try service.makeProvider()), configuration: makeConfiguration())
    for _ in 0..<2 { #expect(await loader.outcome(of: url).body == Data("body".utf8)) }
    service.advance(seconds: 3600)
    #expect(await loader.outcome(of: url).body == Data("body".utf8))
    #expect(tokens(store) == ["token 1", "token 1", "token 2"])
  }

  @Test("A conditional request is answered with 304")
  func conditions() async throws {
    let store = try SigningOrigin(in: origins) { $0.header("If-None-Match") == nil ? .status(500) : .init(status: 304) }
    let loader = S3DataLoader(
      endpoint: endpoint(store, try makeService().makeProvider()), configuration: makeConfiguration())
    var request = URLRequest(url: url)
    request.setValue("\"a\"", forHTTPHeaderField: "If-None-Match")
    let state = await loader.outcome(of: request)
    #expect(state.head?.status == 304)
    #expect(!state.hasError)
    #expect(await loader.outcome(of: url).unacceptableStatus == 500)
  }

  @Test("After the store has rejected the token, the next request is signed with another one")
  func expiredToken() async throws {
    let store = try SigningOrigin(in: origins) {
      $0.header("x-amz-security-token") == "token 1" ? .status(400) : .data(Data("body".utf8))
    }
    let service = makeService()
    let loader = S3DataLoader(
      endpoint: endpoint(store, try service.makeProvider()), configuration: makeConfiguration())
    // New credentials are not fetched again.
    for _ in 0..<2 { #expect(await loader.outcome(of: url).unacceptableStatus == 400) }
    service.advance(seconds: 60)
    #expect(await loader.outcome(of: url).unacceptableStatus == 400)
    #expect(await loader.outcome(of: url).body == Data("body".utf8))
    #expect(service.requests.count == 2)
  }

  @Test("Without credentials, it fails with the error of the source and sends no request")
  func failure() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data()) }
    let provider = try FakeCredentialService { _ in (500, "") }.makeProvider()
    let loader = S3DataLoader(endpoint: endpoint(store, provider), configuration: makeConfiguration())
    let expected = S3CredentialProvider.Error.refused(.container, status: 500, code: nil)
    for _ in 0..<2 {
      let state = await loader.outcome(of: url)
      #expect(state.ends.first.flatMap { $0 } as? S3CredentialProvider.Error == expected)
    }
    #expect(store.origin.log.requests.isEmpty)
  }

  @Test("A transfer that is canceled while it waits for credentials ends at once")
  func cancellation() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data()) }
    let gate = DispatchSemaphore(value: 0)
    let provider = try makeService { gate.wait() }.makeProvider()
    let loader = S3DataLoader(endpoint: endpoint(store, provider), configuration: makeConfiguration())
    let (recorder, transfer) = loader.record(URLRequest(url: url))
    transfer.cancel()
    #expect(await recorder.finished().error == .cancelled)
    gate.signal()
    _ = try await provider.credentials()
    #expect(recorder.state.ends.count == 1)
    #expect(store.origin.log.requests.isEmpty)
  }

  @Test("A transfer that is paused while it waits for credentials continues after it is resumed")
  func pausing() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data("body".utf8)) }
    let gate = DispatchSemaphore(value: 0)
    let provider = try makeService { gate.wait() }.makeProvider()
    let loader = S3DataLoader(endpoint: endpoint(store, provider), configuration: makeConfiguration())
    let (recorder, transfer) = loader.record(URLRequest(url: url))
    transfer.pause()
    transfer.setPriority(.high)
    gate.signal()
    try await store.origin.waitUntil { $0.requests.count == 1 }
    transfer.resume()
    #expect(await recorder.finished().body == Data("body".utf8))
  }

  @Test("A cache reads and writes with temporary credentials, and reports why there are none")
  func cache() throws {
    let body = Lock<NukeOrigin.Request?>(nil)
    let store = try SigningOrigin(in: origins) { request in
      guard request.method == "GET" else {
        body.withLock { $0 = request }
        return .data(Data())
      }
      guard let stored = body.withLock({ $0 }) else { return .status(404) }
      var response = NukeOrigin.Response.data(stored.body)
      response.headers.append((S3DataCache.checksumField, stored.header(S3DataCache.checksumField) ?? ""))
      return response
    }
    var configuration = S3DataCache.Configuration()
    (configuration.timeout, configuration.connectTimeout, configuration.proxy) = (50, 50, .none)
    let cache = try S3DataCache(
      endpoint: endpoint(store, try makeService().makeProvider()), bucket: "images", configuration: configuration)
    #expect(cache.cachedData(for: "key") == nil)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.cachedData(for: "key") == Data("data".utf8))
    #expect(cache.statistics.failures == 0)

    let provider = try FakeCredentialService { _ in (404, "") }.makeProvider()
    let other = try S3DataCache(
      endpoint: endpoint(store, provider), bucket: "images", configuration: configuration)
    #expect(other.cachedData(for: "key") == nil)
    #expect(
      other.statistics.lastFailure
        == "No credentials from the container credential service: it answered with status 404.")
  }
}
