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
    let gate = ScriptGate()
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

  @Test("The settings of a constant can be changed, without affecting other default configurations")
  func constants() {
    let configuration = DataLoader.defaultConfiguration
    configuration.timeoutIntervalForRequest = 10
    configuration.timeoutIntervalForResource += 5
    configuration.httpAdditionalHeaders = ["X-A": "a", "X-B": 2]
    configuration.httpMaximumConnectionsPerHost = 9
    configuration.waitsForConnectivity = true
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #expect((configuration.idleTimeout, configuration.connectTimeout) == (10, 10))
    #expect(configuration.resourceTimeout == 604_805)
    #expect(configuration.additionalHeaders == ["X-A": "a", "X-B": "2"])
    #expect(configuration.maximumConnectionsPerHost == 9)
    #expect(configuration.waitsForConnectivity && configuration.urlCache == nil)
    #expect(configuration.requestCachePolicy == .reloadIgnoringLocalCacheData)
    let other = DataLoader.defaultConfiguration
    #expect((other.idleTimeout, other.connectTimeout, other.resourceTimeout) == (30, 15, nil))
    #expect(other.additionalHeaders.isEmpty && other.maximumConnectionsPerHost == 6 && !other.waitsForConnectivity)
    #expect(other.urlCache === DataLoader.sharedUrlCache)
    #expect(other != configuration)
  }

  @Test("Changing a variable changes no copy, and changing a constant only copies that were not changed")
  func copies() {
    let constant = DataLoader.Configuration()
    var (changed, unchanged) = (constant, constant)
    changed.timeoutIntervalForRequest = 1
    #expect(constant.timeoutIntervalForRequest == 30 && unchanged == constant && changed != constant)
    constant.timeoutIntervalForRequest = 2
    #expect((changed.idleTimeout, unchanged.idleTimeout) == (1, 2))
    unchanged.urlCache = nil
    constant.timeoutIntervalForRequest = 3
    #expect((constant.idleTimeout, unchanged.idleTimeout) == (3, 2))
    unchanged.timeoutIntervalForRequest = 3
    #expect(unchanged == constant && unchanged.hashValue == constant.hashValue)
  }

  @Test("A loader keeps the settings that a constant had when the loader was created")
  func snapshot() async throws {
    let origin = try origins.start { _ in .data(Data("x".utf8)) }
    let configuration = DataLoader.Configuration()
    configuration.httpAdditionalHeaders = ["X-A": "before"]
    let loader = DataLoader(configuration: configuration)
    configuration.httpAdditionalHeaders = ["X-A": "after"]
    _ = try await ImagePipeline.fake(loader: loader).data(for: ImageRequest(url: origin.url("/")))
    #expect(origin.log.requests.first?.header("X-A") == "before")
    #expect(configuration.additionalHeaders == ["X-A": "after"])
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
