import CoreMetrics
import Foundation
import FoundationNetworking
import MetricsTestKit
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

import class NukeTesting.CallLog

@testable import NukeS3

@Suite("A cache in S3", .timeLimit(.minutes(1)))
struct S3DataCacheTests {
  /// A store in memory that speaks as much of the protocol as a cache needs, and may be told to fail.
  final class Store: Sendable {
    let objects = Lock<[String: (body: Data, checksum: String?)]>([:])
    let fault = Lock<(@Sendable (NukeOrigin.Request) -> NukeOrigin.Response?)?>(nil)

    func respond(_ request: NukeOrigin.Request) -> NukeOrigin.Response {
      if let response = fault.withLock({ $0 })?(request) { return response }
      let name = request.path
      switch request.method {
      case "PUT":
        objects.withLock { $0[name] = (request.body, request.header("x-amz-meta-nuke-checksum")) }
        return .data(Data())
      case "DELETE":
        objects.withLock { $0[name] = nil }
        return .init(status: 204)
      default:
        guard let object = objects.withLock({ $0[name] }) else { return .status(404) }
        var response = NukeOrigin.Response.data(object.body)
        if let checksum = object.checksum { response.headers.append(("x-amz-meta-nuke-checksum", checksum)) }
        return response
      }
    }
  }

  /// A clock that a test moves.
  final class ManualClock: Sendable {
    let now = Lock<TimeInterval>(0)
    func advance(seconds: Double) { now.withLock { $0 += seconds } }
  }

  let store = Store()
  let clock = ManualClock()
  let origins = Origins()

  func makeOrigin() throws -> SigningOrigin {
    let store = store
    return try SigningOrigin(in: origins) { store.respond($0) }
  }

  func makeCache(
    _ endpoint: S3Endpoint, prefix: String = "results",
    _ configure: (inout S3DataCache.Configuration) -> Void = { _ in },
    metrics: (any MetricsFactory)? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> S3DataCache {
    var configuration = S3DataCache.Configuration()
    configuration.timeout = 50
    configuration.proxy = .none
    configuration.connectTimeout = 50
    configure(&configuration)
    return try S3DataCache(
      endpoint: endpoint, bucket: "images", prefix: prefix, configuration: configuration, metricsFactory: metrics,
      report: report,
      now: { [clock] in clock.now.withLock { $0 } })
  }

  @Test("The duration of each request is recorded by operation and outcome; a missing object is a success")
  func durations() throws {
    let (store, clock) = (store, clock)
    let origin = try SigningOrigin(in: origins) { request in
      clock.advance(seconds: 0.25)
      return store.respond(request)
    }
    let metrics = TestMetrics()
    func durations(_ operation: String, _ outcome: String) throws -> [Int64] {
      try metrics.expectTimer(
        "nuke_s3_request_duration_seconds", [("operation", operation), ("outcome", outcome)]
      ).values
    }
    let cache = try makeCache(origin.endpoint, metrics: metrics)
    cache.storeData(Data([1]), for: "a")
    cache.flush()
    #expect(cache.cachedData(for: "a") == Data([1]))
    #expect(cache.cachedData(for: "b") == nil)
    #expect(cache.containsData(for: "a"))
    cache.removeData(for: "a")
    cache.flush()
    store.fault.withLock { $0 = { _ in .status(503) } }
    #expect(cache.cachedData(for: "a") == nil)
    #expect(try durations("put", "success") == [250_000_000])
    #expect(try durations("get", "success") == [250_000_000, 250_000_000])
    #expect(try durations("head", "success") == [250_000_000])
    #expect(try durations("delete", "success") == [250_000_000])
    #expect(try durations("get", "failure") == [250_000_000])
    #expect(try durations("list", "success").isEmpty)
  }

  @Test("It returns stored data on every machine, under a name derived from the key")
  func roundTrip() throws {
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint)
    #expect(cache.cachedData(for: "key") == nil)
    #expect(!cache.containsData(for: "key"))
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(
      store.objects.withLock { Array($0.keys) } == ["/images/results/a6/a62f2225bf70bfaccbc7f1ef2a397836717377de"])
    let other = try makeCache(origin.endpoint)
    #expect(other.cachedData(for: "key") == Data("data".utf8))
    #expect(other.containsData(for: "key"))
    other.removeData(for: "key")
    other.flush()
    #expect(!cache.containsData(for: "key"))
    #expect(cache.statistics.writes == 1)
    #expect(other.statistics.hits == 1)
    #expect(other.statistics.removals == 1)
    #expect(cache.statistics.failures == 0)
  }

  @Test("It stores large data and empty data", arguments: [0, 1, 3_000_000])
  func sizes(count: Int) throws {
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint)
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    cache.storeData(data, for: "key")
    cache.flush()
    #expect(try makeCache(origin.endpoint).cachedData(for: "key") == data)
  }

  @Test("It returns data that waits to be written, and not data that waits to be removed")
  func pending() async throws {
    let gate = ScriptGate()
    store.fault.withLock { $0 = { $0.method == "PUT" ? .data(Data()).held(by: gate) : nil } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint)
    cache.storeData(Data("first".utf8), for: "key")
    try await origin.origin.waitUntil { $0.requests.count == 1 }
    #expect(cache.cachedData(for: "key") == Data("first".utf8))
    cache.storeData(Data("second".utf8), for: "key")
    #expect(cache.cachedData(for: "key") == Data("second".utf8))
    #expect(cache.containsData(for: "key"))
    cache.removeData(for: "key")
    #expect(cache.cachedData(for: "key") == nil)
    #expect(!cache.containsData(for: "key"))
    #expect(cache.statistics.pendingBytes == 5)
    gate.open()
    cache.flush()
    // What waited and was replaced was never sent.
    #expect(origin.origin.log.requests.map(\.method) == ["PUT", "DELETE"])
    #expect(cache.statistics.pendingBytes == 0)
  }

  @Test("It limits the bytes that wait for a slow store")
  func backlog() async throws {
    let gate = ScriptGate()
    store.fault.withLock { $0 = { $0.method == "PUT" ? .data(Data()).held(by: gate) : nil } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint) {
      $0.maximumPendingBytes = 10_000
      $0.maximumConcurrentWrites = 2
    }
    for number in 0..<20 { cache.storeData(Data(count: 1_000), for: "\(number)") }
    #expect(cache.statistics.pendingBytes == 10_000)
    #expect(cache.statistics.dropped == 10)
    try await origin.origin.waitUntil { $0.requests.count == 2 }
    gate.open()
    cache.flush()
    #expect(cache.statistics.writes == 10)
    #expect(cache.statistics.removals == 10)
    #expect(origin.origin.log.connectionsAccepted <= 2)
  }

  @Test("If there is no room for new data, the old data is removed")
  func refusedChange() async throws {
    let gate = ScriptGate()
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint) {
      $0.maximumPendingBytes = 10
      $0.maximumConcurrentWrites = 1
    }
    cache.storeData(Data("old".utf8), for: "key")
    cache.flush()
    store.fault.withLock { $0 = { $0.method == "PUT" ? .data(Data()).held(by: gate) : nil } }
    cache.storeData(Data(count: 8), for: "other")
    cache.storeData(Data("newer".utf8), for: "key")
    #expect(cache.cachedData(for: "key") == nil)
    gate.open()
    cache.flush()
    #expect(try makeCache(origin.endpoint).cachedData(for: "key") == nil)
    #expect(cache.statistics.dropped == 1)
  }

  @Test(
    "Damaged, moved and foreign objects are cache misses",
    arguments: ["cut", "changed", "moved", "foreign"])
  func damage(kind: String) throws {
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint)
    for key in ["key", "other"] { cache.storeData(Data("data of \(key)".utf8), for: key) }
    cache.flush()
    let name = "/images/results/" + EntryNaming.path(for: "key")
    store.objects.withLock { objects in
      guard let object = objects[name] else { return }
      switch kind {
      case "cut": objects[name] = (object.body.dropLast(), object.checksum)
      case "changed": objects[name] = (Data("date of key".utf8), object.checksum)
      case "moved": objects[name] = objects["/images/results/" + EntryNaming.path(for: "other")]
      default: objects[name] = (object.body, nil)
      }
    }
    #expect(cache.cachedData(for: "key") == nil)
    #expect(cache.cachedData(for: "other") == Data("data of other".utf8))
    #expect(cache.statistics.damaged == 1)
    #expect(!cache.statistics.isResting)
    cache.storeData(Data("data of key".utf8), for: "key")
    cache.flush()
    #expect(cache.cachedData(for: "key") == Data("data of key".utf8))
  }

  @Test("It suspends a failing store for a while, and then uses it again")
  func resting() throws {
    store.fault.withLock { $0 = { _ in .status(503) } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint) {
      $0.failureThreshold = 3
      $0.restTime = 10
    }
    for _ in 0..<5 { #expect(cache.cachedData(for: "key") == nil) }
    #expect(origin.origin.log.requests.count == 3)
    #expect(cache.statistics.isResting)
    #expect(cache.statistics.failures == 3)
    #expect(cache.statistics.skipped == 2)
    #expect(cache.statistics.lastFailure == "The server answered with status 503.")
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.statistics.dropped == 1)
    #expect(cache.cachedData(for: "key") == nil)

    // It still fails: one request finds out.
    clock.advance(seconds: 10)
    for _ in 0..<3 { #expect(cache.cachedData(for: "key") == nil) }
    #expect(origin.origin.log.requests.count == 4)
    // It is well again.
    store.fault.withLock { $0 = nil }
    clock.advance(seconds: 10)
    #expect(!cache.statistics.isResting)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.cachedData(for: "key") == Data("data".utf8))
    #expect(!cache.statistics.isResting)
  }

  @Test("A rejected read is a cache miss, so that credentials without permission to list the bucket work")
  func refusedReads() throws {
    let store = store
    store.fault.withLock {
      $0 = { request in
        guard ["GET", "HEAD"].contains(request.method), store.objects.withLock({ $0[request.path] }) == nil else {
          return nil
        }
        return .status(403)
      }
    }
    let origin = try makeOrigin()
    let reports = CallLog()
    let cache = try makeCache(origin.endpoint, { $0.failureThreshold = 3 }) { reports.append($0) }
    for number in 0..<5 {
      #expect(cache.cachedData(for: "\(number)") == nil)
      #expect(!cache.containsData(for: "\(number)"))
    }
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(try #require(cache.cachedData(for: "key")) == Data("data".utf8))
    #expect(cache.statistics.refusals == 10)
    #expect(cache.statistics.misses == 10)
    #expect(cache.statistics.failures == 0 && cache.statistics.writes == 1)
    let told = reports.entries
    #expect(told.count == 1 && told.first?.contains("rejected a read (403)") == true)
  }

  @Test("A missing bucket is not used after the first write, and is logged once, although look-ups are misses")
  func missingBucket() throws {
    store.fault.withLock { $0 = { _ in .status(404) } }
    let origin = try makeOrigin()
    let reports = CallLog()
    let cache = try makeCache(origin.endpoint, { $0.failureThreshold = 3 }) { reports.append($0) }
    for number in 0..<3 {
      #expect(cache.cachedData(for: "\(number)") == nil)
      cache.storeData(Data("data".utf8), for: "\(number)")
      cache.flush()
      #expect(cache.statistics.isResting)
      clock.advance(seconds: 100)
    }
    #expect(cache.statistics.failures == 3)
    let told = reports.entries
    #expect(told.count == 1 && told.first?.contains("does not exist") == true)
  }

  @Test("It suspends a store that rejects all writes, even if reads succeed, and logs it once")
  func refusedWrites() throws {
    store.fault.withLock { $0 = { _ in .status(403) } }
    let origin = try makeOrigin()
    let reports = CallLog()
    let cache = try makeCache(origin.endpoint, { $0.failureThreshold = 3 }) { reports.append($0) }
    for number in 0..<5 {
      #expect(cache.cachedData(for: "\(number)") == nil)
      cache.storeData(Data("data".utf8), for: "\(number)")
      cache.flush()
    }
    #expect(cache.statistics.isResting)
    #expect(cache.statistics.failures == 3 && cache.statistics.refusals == 3)
    let told = reports.entries
    #expect(told.count == 2 && told.last?.contains("status 403") == true)
    // One that is refused nothing but what is not there is well again.
    store.fault.withLock { $0 = { $0.method == "GET" ? .status(403) : nil } }
    clock.advance(seconds: 10)
    #expect(cache.cachedData(for: "other") == nil)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.statistics.writes == 1)
  }

  @Test("An unreachable store is a cache miss")
  func unreachable() throws {
    let port = try RefusingPort()
    defer { port.close() }
    let gone = try makeCache(S3Endpoint(url: port.url(""), credentials: SigningOrigin.credentials))
    #expect(gone.cachedData(for: "key") == nil)
    gone.storeData(Data("data".utf8), for: "key")
    gone.flush()
    #expect(gone.statistics.failures == 2)
  }

  @Test("It neither reads nor stores objects above its size limit")
  func largeObjects() throws {
    let origin = try makeOrigin()
    let large = try makeCache(origin.endpoint)
    large.storeData(Data(count: 2_000), for: "key")
    large.flush()
    let cache = try makeCache(origin.endpoint) { $0.maximumObjectSize = 1_000 }
    #expect(cache.cachedData(for: "key") == nil)
    #expect(cache.statistics.failures == 0)
    cache.storeData(Data(count: 1_001), for: "key")
    cache.flush()
    #expect(cache.statistics.dropped == 1)
    // What was there is no longer right.
    #expect(!large.containsData(for: "key"))
  }

  @Test(
    "An invalid prefix is rejected",
    arguments: ["", "/", "a//b", "/a", "../a", "a/./b", "a b", "a?b", "ü"])
  func prefixes(prefix: String) {
    #expect(throws: S3DataCache.Error.invalidPrefix(prefix)) {
      try S3DataCache(endpoint: S3Endpoint(environment: [:]), bucket: "images", prefix: prefix)
    }
  }

  @Test("A prefix can consist of several folders, with and without a slash at the end")
  func folders() throws {
    let endpoint = S3Endpoint(environment: [:])
    #expect(try S3DataCache(endpoint: endpoint, bucket: "b", prefix: "a/b-1").prefix == "a/b-1/")
    #expect(try S3DataCache(endpoint: endpoint, bucket: "b", prefix: "a/b-1/").prefix == "a/b-1/")
    #expect(throws: S3DataCache.Error.invalidBucket("a/b")) { try S3DataCache(endpoint: endpoint, bucket: "a/b") }
  }
}
