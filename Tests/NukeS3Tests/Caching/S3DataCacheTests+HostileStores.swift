import Foundation
import NukeOrigin
import Testing

@testable import NukeS3

/// Stores that answer what they should not, or never.
extension S3DataCacheTests {
  @Test(
    "Removing everything ends with a failure if the store's list has no end",
    arguments: [("two tokens", 3), ("empty pages", 100), ("one page", 2), ("other pages", 20)])
  func endlessList(kind: String, requests: Int) throws {
    let count = Lock(0)
    store.fault.withLock {
      $0 = { request in
        guard request.method == "GET" else { return nil }
        let number = count.withLock {
          $0 += 1
          return $0
        }
        let token = kind == "two tokens" ? number % 2 : number
        let name = "results/" + EntryNaming.path(for: kind == "one page" ? "key" : "\(number)")
        let key = kind == "empty pages" ? "" : "<Contents><Key>\(name)</Key></Contents>"
        return .data(
          Data(
            "<ListBucketResult>\(key)<NextContinuationToken>\(token)</NextContinuationToken></ListBucketResult>".utf8))
      }
    }
    let cache = try makeCache(try makeOrigin().endpoint)
    cache.removeAll(pageLimit: kind == "other pages" ? 20 : 1_000)
    #expect(count.withLock { $0 } == requests)
    #expect(cache.statistics.removals == (kind == "empty pages" ? 0 : requests))
    #expect(cache.statistics.failures == 1)
    #expect(cache.statistics.lastFailure == "The store's list of objects has no end.")
  }

  @Test("Removing everything removes no objects that the cache cannot have created, although the list contains them")
  func foreignNames() throws {
    let path = EntryNaming.path(for: "key")
    let names = [
      path, "other/\(path)", "results/", "results/\(path)/a", "results/\(path.dropLast())", "results/../\(path)",
      "/results/\(path)", "results/\(path.uppercased())", "results2/\(path)", "",
    ]
    let keys = names.map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
    store.fault.withLock { $0 = { _ in .data(Data("<ListBucketResult>\(keys)</ListBucketResult>".utf8)) } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint)
    cache.removeAll()
    #expect(cache.statistics.failures == 0)
    #expect(origin.origin.log.requests.map(\.method) == ["GET"])
  }

  @Test(
    "Removing everything ends with a failure if the store's list is not valid",
    arguments: ["", "{}", "<Error><Code>InternalError</Code></Error>"])
  func malformedList(text: String) throws {
    store.fault.withLock { $0 = { _ in .data(Data(text.utf8)) } }
    let cache = try makeCache(try makeOrigin().endpoint)
    cache.removeAll()
    #expect(cache.statistics.failures == 1)
    #expect(cache.statistics.lastFailure == "The response of the store is not a list of objects.")
  }

  @Test("A body without an end is a cache miss as soon as it exceeds the size limit")
  func endlessBody() async throws {
    store.fault.withLock { $0 = { _ in Self.endless(2_000) } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint) { $0.maximumObjectSize = 1_000 }
    #expect(cache.cachedData(for: "key") == nil)
    #expect(cache.statistics.misses == 1 && cache.statistics.failures == 0)
    try await origin.origin.waitUntil { $0.closedEarly == 1 }
  }

  @Test("A list or the response to a write without an end is a failure as soon as it exceeds its limit")
  func endlessAnswers() throws {
    store.fault.withLock { $0 = { Self.endless($0.method == "GET" ? 17 << 20 : 2 << 20) } }
    let cache = try makeCache(try makeOrigin().endpoint)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.statistics.failures == 1)
    cache.removeData(for: "key")
    cache.flush()
    #expect(cache.statistics.failures == 2)
    #expect(cache.statistics.lastFailure == "The body is larger than the limit of 1048576 bytes.")
    cache.removeAll()
    #expect(cache.statistics.failures == 3)
    #expect(cache.statistics.lastFailure == "The body is larger than the limit of 16777216 bytes.")
    #expect(cache.statistics.writes == 0 && cache.statistics.removals == 0)
  }

  @Test("The status of a response counts, although its body has no end", arguments: [403, 404, 503])
  func endlessErrors(status: Int) throws {
    store.fault.withLock {
      $0 = { _ in
        var response = Self.endless(1)
        response.status = status
        return response
      }
    }
    let cache = try makeCache(try makeOrigin().endpoint)
    #expect(cache.cachedData(for: "key") == nil)
    #expect(cache.statistics.refusals == (status == 403 ? 1 : 0))
    #expect(cache.statistics.failures == (status == 503 ? 1 : 0))
  }

  /// A response whose body has no end, and stalls after some bytes.
  private static func endless(_ count: Int) -> NukeOrigin.Response {
    NukeOrigin.Response.data(Data(count: count)).framed(.chunked).scripted(.head, .bytes(count), .stall)
  }

  @Test(
    "An object whose stated length is wrong is a cache miss, and the next one is read correctly",
    arguments: [
      ("2", 0), ("2000", 1), ("\(Int.max)", 0), ("99999999999999999999", 1), ("-1", 1), ("4, 5", 1), ("four", 1),
    ])
  func lengths(length: String, failures: Int) throws {
    let data = Data("data".utf8)
    let cache = try makeCache(try makeOrigin().endpoint)
    cache.storeData(data, for: "key")
    cache.flush()
    store.fault.withLock {
      $0 = { _ in
        var response = NukeOrigin.Response.data(data).framed(.untilClose)
        response.headers.append(("Content-Length", length))
        response.headers.append((S3DataCache.checksumField, EntryNaming.checksum(of: data, key: "key")))
        return response
      }
    }
    #expect(cache.cachedData(for: "key") == nil)
    #expect(cache.statistics.failures == failures)
    store.fault.withLock { $0 = nil }
    #expect(cache.cachedData(for: "key") == data)
  }

  @Test("It times out on an unresponsive store")
  func stalls() throws {
    store.fault.withLock { $0 = { _ in NukeOrigin.Response().scripted(.stall) } }
    let origin = try makeOrigin()
    let cache = try makeCache(origin.endpoint) { $0.timeout = 0.05 }
    #expect(cache.cachedData(for: "key") == nil)
    cache.storeData(Data("data".utf8), for: "key")
    cache.flush()
    #expect(cache.statistics.failures == 2)
    #expect(cache.statistics.lastFailure?.contains("0.05 s") == true)
    cache.removeAll()
    #expect(cache.statistics.failures == 3)
  }

  @Test("It times out on a store that sends byte by byte")
  func slowly() throws {
    // Without the limit, it would take longer than this suite may.
    store.fault.withLock { $0 = { _ in NukeOrigin.Response.data(Data(count: 10_000)).trickled(1, .delay(0.01)) } }
    let cache = try makeCache(try makeOrigin().endpoint) { $0.timeout = 0.1 }
    #expect(cache.cachedData(for: "key") == nil)
    cache.removeAll()
    #expect(cache.statistics.failures == 2)
    #expect(cache.statistics.lastFailure?.contains("0.1 s") == true)
  }
}
