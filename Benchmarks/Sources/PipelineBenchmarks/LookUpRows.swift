import Foundation
import FoundationNetworking
import Measuring
import Nuke
import Synchronization

/// The memory cache with random keys, compared with a plain cache.
///
/// Cold rows cycle through 100,000 request objects, so that none is in the CPU caches when it is looked up, as in a
/// program that creates a request for each row of a list. Reused rows cycle through 2,000 requests.
struct LookUpRows: Sendable {
  let show: @Sendable (String, @Sendable () async -> Sample) async -> Void

  private static let operations = 100_000
  private static let keys = 2000

  private static func url(_ number: Int) -> URL { URL(string: "http://test.com/\(number)")! }
  private static func random() -> [Int] { (0..<operations).map { _ in Int.random(in: 0..<keys) } }
  private static let picture = ImageContainer(image: PlatformImage())

  /// Requests of both kinds for the same images.
  private struct Requests: Sendable {
    var ours: [ImageRequest]
    var plain: [PlainCache.Request]

    init(_ numbers: [Int], thumbnail: ImageRequest.ThumbnailOptions? = nil, isURLRequest: Bool = false) {
      ours = numbers.map { number in
        var request =
          isURLRequest
          ? ImageRequest(urlRequest: URLRequest(url: url(number))) : ImageRequest(url: url(number))
        if let thumbnail { request.thumbnail = thumbnail }
        return request
      }
      plain = numbers.map { PlainCache.Request(.init(id: url($0).absoluteString, thumbnail: thumbnail)) }
    }
  }

  private struct Caches: Sendable {
    let ours = ImageCache()
    let plain = PlainCache()

    init(_ stored: Requests? = nil) {
      guard let stored else { return }
      for request in stored.ours { ours[ImageCacheKey(request: request)] = picture }
      for request in stored.plain { plain[request] = picture }
    }
  }

  func run() async {
    await show("look up, cold") { await Self.measurePair("hit, cold", Requests(Self.random()), Self.filled(), hits) }
    await show("look up, cold") {
      await Self.measurePair("miss, cold", Requests(Self.random().map { $0 + Self.keys }), Self.filled(), hits)
    }
    await show("look up, cold") {
      await Self.measurePair("write, cold", Requests((0..<Self.operations).map { _ in .random(in: 0..<500) }), Caches())
      {
        requests, caches in
        for request in requests.ours { caches.ours[ImageCacheKey(request: request)] = Self.picture }
      } plain: { requests, caches in
        for request in requests.plain { caches.plain[request] = Self.picture }
      }
    }
    let isRead = (0..<Self.operations).map { _ in Int.random(in: 0..<10) < 8 }
    await show("look up, cold") {
      await Self.measurePair("4 reads to 1 write, cold", Requests(Self.random()), Self.filled()) { requests, caches in
        for (request, isRead) in zip(requests.ours, isRead) {
          let key = ImageCacheKey(request: request)
          if isRead { keep(caches.ours[key]) } else { caches.ours[key] = Self.picture }
        }
      } plain: { requests, caches in
        for (request, isRead) in zip(requests.plain, isRead) {
          if isRead { keep(caches.plain[request]) } else { caches.plain[request] = Self.picture }
        }
      }
    }
    let thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 256)
    await show("look up, cold") {
      let stored = Requests(Array(0..<Self.keys), thumbnail: thumbnail)
      return await Self.measurePair(
        "hit with thumbnail, cold", Requests(Self.random(), thumbnail: thumbnail), Caches(stored), hits)
    }
    await show("look up, cold") {
      await Self.measurePair(
        "hit with URLRequest, cold", Requests(Self.random(), isURLRequest: true), Self.filled(), hits)
    }
    await show("look up, reused") { await reused("hit, reused", Self.filled()) }
    await show("look up, first") { await first() }
    await show("look up, 8 readers") { await readers() }
    let requests = Requests(Self.random())
    await show("look up, imageID") {
      let urls = Self.random().map(Self.url)
      let floor = await measure("URL.absoluteString, cold", operations: Self.operations) {
        var count = 0
        for url in urls { count += url.absoluteString.utf8.count }
        return count
      }
      print(floor.line)
      return await measure("request.imageID, cold", operations: Self.operations, goal: .init(1.25, times: floor)) {
        var count = 0
        for request in requests.ours where request.imageID != nil { count += 1 }
        return count
      }
    }
  }

  private static func filled() -> Caches { Caches(Requests(Array(0..<keys))) }

  private typealias Body = @Sendable (Requests, Caches) -> Void

  private var hits: (ours: Body, plain: Body) {
    (
      { requests, caches in
        for request in requests.ours { keep(caches.ours[ImageCacheKey(request: request)]) }
      },
      { requests, caches in
        for request in requests.plain { keep(caches.plain[request]) }
      }
    )
  }

  private static func measurePair(
    _ name: String, _ requests: Requests, _ caches: Caches, _ bodies: (ours: Body, plain: Body)
  ) async -> Sample {
    await measurePair(name, requests, caches, bodies.ours, plain: bodies.plain)
  }

  /// Measures both caches, prints the row of the plain one, and returns ours with a goal of two thirds of its time.
  private static func measurePair(
    _ name: String, _ requests: Requests, _ caches: Caches, _ ours: @escaping Body, plain: @escaping Body
  ) async -> Sample {
    let floor = await measure("plain", operations: operations) { plain(requests, caches) }
    print(floor.line(as: "plain cache, \(name)"))
    return await measure("ImageCache, \(name)", operations: operations, goal: .init(1 / 1.5, times: floor)) {
      ours(requests, caches)
    }
  }

  private func reused(_ name: String, _ caches: Caches) async -> Sample {
    let requests = Requests(Array(0..<Self.keys))
    let order = Self.random()
    return await Self.measurePair(name, requests, caches) { requests, caches in
      for index in order { keep(caches.ours[ImageCacheKey(request: requests.ours[index])]) }
    } plain: { requests, caches in
      for index in order { keep(caches.plain[requests.plain[index]]) }
    }
  }

  /// Requests that are looked up once, including the cost of creating them.
  private func first() async -> Sample {
    let urls = Self.random().map(Self.url)
    let caches = Self.filled()
    let floor = await measure("plain", operations: Self.operations) {
      for url in urls { keep(caches.plain[PlainCache.Request(.init(id: url.absoluteString))]) }
    }
    print(floor.line(as: "plain cache, request made and hit once"))
    return await measure(
      "ImageCache, request made and hit once", operations: Self.operations, goal: .init(1 / 1.5, times: floor)
    ) {
      for url in urls { keep(caches.ours[ImageCacheKey(request: ImageRequest(url: url))]) }
    }
  }

  private func readers() async -> Sample {
    let requests = (0..<8).map { _ in Requests(Array(Self.random().prefix(Self.operations / 8))) }
    let caches = Self.filled()
    let floor = await measure("plain", operations: Self.operations) {
      await withTaskGroup(of: Void.self) { group in
        for part in requests { group.addTask { hits.plain(part, caches) } }
      }
    }
    print(floor.line(as: "plain cache, hit by 8 readers, cold"))
    return await measure(
      "ImageCache, hit by 8 readers, cold", operations: Self.operations, goal: .init(1 / 1.5, times: floor)
    ) {
      await withTaskGroup(of: Void.self) { group in
        for part in requests { group.addTask { hits.ours(part, caches) } }
      }
    }
  }
}
