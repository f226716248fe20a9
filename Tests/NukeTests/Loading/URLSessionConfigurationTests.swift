import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("A loader with a URLSessionConfiguration", .timeLimit(.minutes(1)))
struct URLSessionConfigurationTests {
  private let origins = Origins()

  @Test("Time limits, header fields, connections per host and cache policy are used")
  func settings() {
    let session = URLSessionConfiguration.default
    session.timeoutIntervalForRequest = 7
    session.timeoutIntervalForResource = 8
    session.httpAdditionalHeaders = ["X-A": "a", "X-B": 2, AnyHashable(3): "c"]
    session.httpMaximumConnectionsPerHost = 9
    session.requestCachePolicy = .reloadIgnoringLocalCacheData
    let configuration = DataLoader.Configuration(session)
    #expect(configuration.idleTimeout == 7)
    #expect(configuration.connectTimeout == 7)
    #expect(configuration.resourceTimeout == 8)
    #expect(configuration.additionalHeaders == ["X-A": "a", "X-B": "2"])
    #expect(configuration.maximumConnectionsPerHost == 9)
    #expect(configuration.requestCachePolicy == .reloadIgnoringLocalCacheData)
  }

  @Test("Responses are stored if the configuration has a cache, and not otherwise")
  func cache() {
    let session = URLSessionConfiguration.default
    session.urlCache = nil
    #expect(DataLoader.Configuration(session).urlCache == nil)
    session.urlCache = URLCache(memoryCapacity: 1, diskCapacity: 1, diskPath: nil)
    #expect(DataLoader.Configuration(session).urlCache === DataLoader.sharedUrlCache)
  }

  @Test("Header fields and validation are used")
  func loading() async throws {
    let origin = try origins.start { _ in .status(404) }
    let session = URLSessionConfiguration.default
    session.urlCache = nil
    session.httpAdditionalHeaders = ["X-A": "a"]
    let loader = DataLoader(configuration: session) { _ in nil }
    let error: (any Error)? = await withCheckedContinuation { continuation in
      _ = loader.loadData(with: URLRequest(url: origin.url("/")), didReceiveData: { _, _ in }) {
        continuation.resume(returning: $0)
      }
    }
    #expect(error == nil)
    #expect(origin.log.requests.first?.header("X-A") == "a")
  }

  @Test("Cookies are neither sent nor stored, whatever the session says", arguments: [false, true])
  func cookies(setsCookies: Bool) async throws {
    let origin = try origins.start { _ in .init(headers: [("Set-Cookie", "a=1; Path=/")], body: Data("x".utf8)) }
    let session = URLSessionConfiguration.ephemeral
    session.urlCache = nil
    session.httpShouldSetCookies = setsCookies
    session.httpCookieAcceptPolicy = .always
    let storage = try #require(session.httpCookieStorage)
    storage.setCookie(
      try #require(HTTPCookie(properties: [.name: "b", .value: "2", .domain: "127.0.0.1", .path: "/"])))
    #expect(storage.cookies(for: origin.url("/"))?.count == 1)
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: session))
    for path in ["/first", "/second"] { _ = try await pipeline.data(for: ImageRequest(url: origin.url(path))) }
    #expect(origin.log.requests.map { $0.header("Cookie") } == [nil, nil])
    #expect(storage.cookies?.map(\.name) == ["b"])
    // The program may set the field itself.
    var own = URLRequest(url: origin.url("/third"))
    own.setValue("c=3", forHTTPHeaderField: "Cookie")
    _ = try await pipeline.data(for: ImageRequest(urlRequest: own))
    #expect(origin.log.requests.last?.header("Cookie") == "c=3")
  }

  @Test("The connections per host of a session are the most that are open at a time", arguments: [1, 3])
  func connections(count: Int) async throws {
    let gate = OriginGate()
    let origin = try origins.start { _ in .data(Data("x".utf8)).held(by: gate) }
    let session = URLSessionConfiguration.default
    session.urlCache = nil
    session.httpMaximumConnectionsPerHost = count
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: session))
    let tasks = (0..<6).map { number in
      pipeline.loadData(with: ImageRequest(url: origin.url("/\(number)")), on: nil) { _ in }
    }
    try await origin.waitUntil { $0.requests.count == count }
    gate.open()
    for task in tasks { _ = try await task.response }
    #expect(origin.log.connectionsAccepted == count)
  }

  @Test("The cache policy applies if a request has none")
  func cachePolicy() async throws {
    let origin = try origins.start { _ in .status(200) }
    var configuration = DataLoader.Configuration()
    configuration.requestCachePolicy = .returnCacheDataDontLoad
    let loader = DataLoader(configuration: configuration)
    let error: (any Error)? = await withCheckedContinuation { continuation in
      _ = loader.loadData(with: URLRequest(url: origin.url("/")), didReceiveData: { _, _ in }) {
        continuation.resume(returning: $0)
      }
    }
    #expect(error as? DataLoader.Error == .statusCodeUnacceptable(504))
    #expect(origin.log.requests.isEmpty)
  }
}
