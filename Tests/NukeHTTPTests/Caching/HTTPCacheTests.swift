import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("The HTTP cache, used directly")
struct HTTPCacheTests {
  private let url = URL(string: "http://example.com/a")!

  private func response(_ status: Int = 200, _ fields: [String: String] = ["Cache-Control": "max-age=60"])
    -> URLResponse
  {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)!
  }

  @Test("Stored responses are returned even if stale, and removed")
  func storing() throws {
    let bench = try CacheBench()
    let request = URLRequest(url: url)
    #expect(bench.cache.cachedResponse(for: request) == nil)
    bench.cache.storeCachedResponse(CachedURLResponse(response: response(), data: noise(5000)), for: request)
    bench.clock.pass(seconds: 1000)
    let cached = try #require(bench.cache.cachedResponse(for: request))
    #expect(cached.data == noise(5000))
    let head = try #require(cached.response as? HTTPURLResponse)
    #expect(head.statusCode == 200)
    #expect(head.value(forHTTPHeaderField: "Age") == "1000")
    #expect(head.expectedContentLength == 5000)
    #expect(bench.cache.currentDiskUsage == 3 * 4096)
    bench.cache.removeCachedResponse(for: request)
    #expect(bench.cache.cachedResponse(for: request) == nil)
    #expect(bench.cache.currentDiskUsage == 0)
  }

  @Test("Responses that must not be stored are not, and new ones replace old ones")
  func replacing() throws {
    let bench = try CacheBench()
    let request = URLRequest(url: url)
    func store(_ response: URLResponse, _ data: Data) {
      bench.cache.storeCachedResponse(CachedURLResponse(response: response, data: data), for: request)
    }
    store(response(200, ["Cache-Control": "no-store"]), noise(10))
    store(response(206, [:]), noise(10))
    store(URLResponse(url: url, mimeType: nil, expectedContentLength: 10, textEncodingName: nil), noise(10))
    // More than the head says.
    store(response(200, ["Cache-Control": "max-age=60", "Content-Length": "5"]), noise(10))
    #expect(bench.cache.cachedResponse(for: request) == nil)
    store(response(), noise(10))
    store(response(), noise(20))
    #expect(bench.cache.cachedResponse(for: request)?.data == noise(20))
    bench.cache.flush()
    #expect(bench.entries.count == 1)
  }

  @Test("URLs with different queries are distinguished")
  func queries() throws {
    let bench = try CacheBench()
    for number in 1...3 {
      let request = URLRequest(url: URL(string: "http://example.com/a?\(number)")!)
      bench.cache.storeCachedResponse(CachedURLResponse(response: response(), data: noise(number)), for: request)
    }
    for number in 1...3 {
      let request = URLRequest(url: URL(string: "http://example.com/a?\(number)")!)
      #expect(bench.cache.cachedResponse(for: request)?.data.count == number)
    }
    #expect(bench.cache.cachedResponse(for: URLRequest(url: url)) == nil)
    bench.cache.removeAllCachedResponses()
    #expect(bench.cache.cachedResponse(for: URLRequest(url: URL(string: "http://example.com/a?1")!)) == nil)
    #expect(bench.folder.files.isEmpty)
  }

  @Test("The capacity is kept, and can be changed")
  func capacity() throws {
    let bench = try CacheBench(capacity: 100 << 10)
    func fill() {
      for number in 0..<20 {
        let request = URLRequest(url: URL(string: "http://example.com/\(number)")!)
        bench.cache.storeCachedResponse(CachedURLResponse(response: response(), data: noise(10_000)), for: request)
      }
      bench.cache.flush()
    }
    fill()
    #expect(bench.cache.diskCapacity == 100 << 10)
    #expect((80 << 10...100 << 10).contains(bench.cache.currentDiskUsage))
    bench.cache.diskCapacity = 40 << 10
    fill()
    #expect(bench.cache.currentDiskUsage <= 40 << 10)
    #expect(bench.cache.memoryCapacity == 0)
    #expect(bench.cache.currentMemoryUsage == 0)
  }

  @Test("A cache cannot be created without a folder")
  func errors() throws {
    #expect(throws: HTTPCache.Error.invalidName("../x")) { try HTTPCache(name: "../x") }
    #expect(throws: HTTPCache.Error.self) { try HTTPCache(path: URL(fileURLWithPath: "/proc/none/x")) }
    #expect(throws: HTTPCache.Error.self) { try HTTPCache(path: url) }
  }

  @Test("A cache equals only itself, and does not require a transport of its own")
  func identity() throws {
    let (first, second) = try (CacheBench().cache, CacheBench().cache)
    #expect(first == first)
    #expect(first != second)
    var configuration = DataLoader.Configuration()
    #expect(configuration.urlCache == nil)
    #expect(DataLoader.defaultConfiguration.urlCache === DataLoader.sharedUrlCache)
    #expect(DataLoader.sharedUrlCache.diskCapacity == 150 << 20)
    DataLoader.sharedUrlCache.memoryCapacity = 1 << 20
    #expect(DataLoader.sharedUrlCache.memoryCapacity == 0)
    configuration.urlCache = first
    var other = configuration
    other.urlCache = second
    #expect(configuration != other)
  }

  @Test("Serving a stored response opens two files")
  func openings() async throws {
    let files = FaultyFileSystem()
    let bench = try CacheBench(files: files) { _ in .fields(noise(20_000), ("Cache-Control", "max-age=60")) }
    _ = await bench.load("/a")
    bench.cache.flush()
    let opened = CacheSeen()
    files.beforeOpening { _ in opened.note(1) }
    for count in [2, 4] {
      #expect(await bench.load("/a").body == noise(20_000))
      #expect(opened.statuses.count == count)
    }
  }

  @Test("The policy applies if responses state no lifetime")
  func policy() async throws {
    let clock = CacheClock()
    let bench = try CacheBench(clock: clock, connections: 1) { request in
      switch request.path {
      case "/404": .status(404)
      case "/500": request.header("X-Down") != nil ? .status(500) : .fields(noise(9), ("Cache-Control", "max-age=1"))
      case "/token": .fields(noise(9), ("Cache-Control", "max-age=60"))
      default: .fields(noise(9), ("Date", clock.date()), ("Last-Modified", clock.date(in: -100_000)))
      }
    }
    bench.cache.policy.negativeLifetime = 0
    bench.cache.policy.heuristicLifetimeLimit = 5
    bench.cache.policy.staleLimitOnServerError = 100
    bench.cache.policy.storesAuthorizedResponses = false
    for _ in 0..<2 {
      #expect(await bench.load("/404").unacceptableStatus == 404)
      await bench.settle()
      _ = await bench.load(bench.request("/token", ["Authorization": "Bearer x"]))
    }
    #expect(bench.origin.log.requests(to: "/404").count == 2)
    #expect(bench.origin.log.requests(to: "/token").count == 2)
    _ = await bench.load("/modified")
    #expect(await bench.load("/modified").cacheStatus == "Nuke; hit; ttl=5")
    _ = await bench.load("/500")
    clock.pass(seconds: 50)
    #expect(await bench.load(bench.request("/500", ["X-Down": "1"])).body == noise(9))
    clock.pass(seconds: 60)
    #expect(await bench.load(bench.request("/500", ["X-Down": "1"])).unacceptableStatus == 500)
  }
}
