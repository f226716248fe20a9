import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeLocalServers
import Testing

@testable import NukeS3

@Suite(
  "With the S3 server moto",
  .enabled(if: MotoServer.isAvailable, "moto is needed: Scripts/setup --test"), .timeLimit(.minutes(2)))
struct MotoTests {
  /// A bucket of each test's own.
  private let bucket = "images-\(UUID().uuidString.lowercased())"
  private let endpoint: S3Endpoint

  init() async throws {
    let server = try #require(MotoServer.shared)
    endpoint = server.endpoint
    try await put(nil, Data())
  }

  /// Makes an object, or the bucket.
  private func put(_ key: String?, _ data: Data) async throws {
    var request = try S3Requests(endpoint).request("PUT", bucket: bucket, key: key)
    request.httpBody = data
    request.setValue("image/png", forHTTPHeaderField: "Content-Type")
    let loader = SigningLoader(endpoint, configuration: makeConfiguration())
    #expect(await loader.outcome(of: request).error == nil)
  }

  private func makeCache(bucket: String? = nil, prefix: String = "results") throws -> S3DataCache {
    var configuration = S3DataCache.Configuration()
    configuration.timeout = 60
    configuration.proxy = .none
    configuration.connectTimeout = 60
    return try S3DataCache(
      endpoint: endpoint, bucket: bucket ?? self.bucket, prefix: prefix, configuration: configuration)
  }

  @Test("Objects are loaded completely and in part, and validated")
  func loading() async throws {
    let body = noise(300_000)
    try await put("a b/ü+(1).png", body)
    let loader = S3DataLoader(endpoint: endpoint, configuration: makeConfiguration())
    let url = try #require(URL(string: "s3://\(bucket)/a%20b/%C3%BC+(1).png"))
    let state = await loader.outcome(of: url)
    #expect(state.body == body)
    #expect(state.head?.value(forField: "Content-Type") == "image/png")
    let tag = try #require(state.head?.value(forField: "ETag"))

    var request = URLRequest(url: url)
    request.setValue("bytes=100-199", forHTTPHeaderField: "Range")
    #expect(await loader.outcome(of: request).body == body.dropFirst(100).prefix(100))
    var conditional = URLRequest(url: url)
    conditional.setValue(tag, forHTTPHeaderField: "If-None-Match")
    #expect(await loader.outcome(of: conditional).head?.status == 304)
    let missing = try #require(URL(string: "s3://\(bucket)/missing"))
    #expect(await loader.outcome(of: missing).unacceptableStatus == 404)
    #expect(await loader.outcome(of: url, limit: 1000).error == .bodyTooLarge(limit: 1000))
  }

  @Test("A pipeline loads an image")
  func pipeline() async throws {
    try await put("a.png", Data("not an image".utf8))
    let pipeline = ImagePipeline {
      $0.dataLoader = S3DataLoader(endpoint: endpoint, configuration: makeConfiguration())
      $0.dataCache = nil
    }
    let url = try #require(URL(string: "s3://\(bucket)/a.png"))
    #expect(try await pipeline.data(for: ImageRequest(url: url)).0 == Data("not an image".utf8))
  }

  @Test("A cache stores and returns data")
  func caching() throws {
    let cache = try makeCache()
    #expect(cache.cachedData(for: "key") == nil)
    cache.storeData(noise(200_000), for: "key")
    cache.storeData(Data(), for: "empty")
    cache.flush()
    #expect(cache.statistics.lastFailure == nil)
    #expect(cache.statistics.writes == 2)
    let other = try makeCache()
    #expect(other.cachedData(for: "key") == noise(200_000))
    #expect(other.cachedData(for: "empty") == Data())
    #expect(other.containsData(for: "key"))
    other.removeData(for: "key")
    other.flush()
    #expect(!cache.containsData(for: "key"))
  }

  @Test("A cache removes all its objects, over several pages of the listing, and no others")
  func removingAll() async throws {
    let cache = try makeCache()
    let neighbor = try makeCache(prefix: "results2")
    for number in 0..<1_100 { cache.storeData(Data("\(number)".utf8), for: "\(number)") }
    neighbor.storeData(Data("neighbor".utf8), for: "1")
    cache.flush()
    neighbor.flush()
    #expect(cache.statistics.writes == 1_100)
    try await put("results/precious.png", Data("precious".utf8))
    try await put("results/aa/" + String(repeating: "b", count: 40), Data("precious".utf8))
    cache.removeAll()
    #expect(cache.statistics.removals == 1_100)
    #expect(cache.statistics.lastFailure == nil)
    #expect(!cache.containsData(for: "1"))
    #expect(!cache.containsData(for: "1099"))
    #expect(neighbor.cachedData(for: "1") == Data("neighbor".utf8))
    let loader = S3DataLoader(endpoint: endpoint, configuration: makeConfiguration())
    for name in ["precious.png", "aa/" + String(repeating: "b", count: 40)] {
      let url = try #require(URL(string: "s3://\(bucket)/results/\(name)"))
      #expect(await loader.outcome(of: url).body == Data("precious".utf8))
    }
  }

  @Test("A missing bucket causes cache misses")
  func missingBucket() throws {
    let cache = try makeCache(bucket: "no-such-bucket")
    #expect(cache.cachedData(for: "key") == nil)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.statistics.failures == 1)
    #expect(cache.cachedData(for: "key") == nil)
  }
}
