import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("A deduplicator", .timeLimit(.minutes(1)))
struct DeduplicatorTests {
  private let loader = HeldLoader()
  private let deduplicator: Deduplicator
  private let request = Request(url: imageURL("a.jpg"))
  private let image = SampleImage.bitmap(width: 4, height: 4)

  init() { deduplicator = Deduplicator(loader: loader) }

  @Test("Equal requests share one load and its image")
  func joins() async throws {
    let promises = (0..<3).map { _ in deduplicator.loadImage(with: request) }
    #expect(loader.calls.count == 1)
    loader.calls[0].fulfill(image)
    for promise in promises { #expect(try await promise.value === image) }
  }

  @Test("Equal requests share the error")
  func errors() async {
    let promises = (0..<2).map { _ in deduplicator.loadImage(with: request) }
    loader.calls[0].reject(Failure(number: 3))
    for promise in promises { #expect(await failure(of: promise) as? Failure == Failure(number: 3)) }
  }

  @Test("Requests with different processors have different loads")
  func different() {
    var processed = request
    processed.process(with: Every(nth: 2))
    for request in [request, processed, Request(url: imageURL("b.jpg"))] {
      deduplicator.loadImage(with: request)
    }
    #expect(loader.calls.count == 3)
  }

  @Test("Requests with the same load key share a load")
  func loadKey() async throws {
    let promises = ["a.jpg", "b.jpg"].map { name in
      var request = Request(url: imageURL(name))
      request.loadKey = 1
      return deduplicator.loadImage(with: request)
    }
    #expect(loader.calls.map(\.request.urlRequest.url) == [imageURL("a.jpg")])
    loader.calls[0].fulfill(image)
    for promise in promises { #expect(try await promise.value === image) }
  }

  @Test("The load is canceled with the last request, and not before")
  func leaving() async throws {
    let sources = [CancellationTokenSource(), CancellationTokenSource()]
    let promises = sources.map { deduplicator.loadImage(with: request, token: $0.token) }
    let token = try #require(loader.calls[0].token)
    sources[0].cancel()
    #expect(isCancelled(await failure(of: promises[0])))
    #expect(!token.isCancelling)
    sources[1].cancel()
    #expect(token.isCancelling)
    #expect(isCancelled(await failure(of: promises[1])))
  }

  @Test("Remaining requests receive their image after one was canceled")
  func staying() async throws {
    let source = CancellationTokenSource()
    let leaving = deduplicator.loadImage(with: request, token: source.token)
    let staying = deduplicator.loadImage(with: request)
    source.cancel()
    loader.calls[0].fulfill(image)
    #expect(try await staying.value === image)
    #expect(isCancelled(await failure(of: leaving)))
  }

  @Test("A new load starts after the previous one has ended or was canceled")
  func anew() async throws {
    let source = CancellationTokenSource()
    deduplicator.loadImage(with: request, token: source.token)
    source.cancel()
    let second = deduplicator.loadImage(with: request)
    #expect(loader.calls.count == 2)
    loader.calls[1].fulfill(image)
    #expect(try await second.value === image)
    deduplicator.loadImage(with: request)
    #expect(loader.calls.count == 3)
  }

  @Test("A canceled load is not joined, even if the loader continues it")
  func deafLoader() async throws {
    let loader = HeldLoader(heedsTokens: false)
    let deduplicator = Deduplicator(loader: loader)
    let source = CancellationTokenSource()
    deduplicator.loadImage(with: request, token: source.token)
    source.cancel()
    let second = deduplicator.loadImage(with: request)
    #expect(loader.calls.count == 2)
    loader.calls[0].reject(Failure())
    loader.calls[1].fulfill(image)
    #expect(try await second.value === image)
  }

  @Test("A canceled token starts no load")
  func cancelledBefore() async {
    let source = CancellationTokenSource()
    source.cancel()
    let promise = deduplicator.loadImage(with: request, token: source.token)
    #expect(isCancelled(await failure(of: promise)))
    #expect(loader.calls.isEmpty)
  }

  @Test("Every promise is settled when requests start, end and are canceled concurrently")
  func threads() async {
    for _ in 0..<50 {
      let loader = HeldLoader()
      let deduplicator = Deduplicator(loader: loader)
      let isSettled = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
        for number in 0..<8 {
          group.addTask {
            let source = CancellationTokenSource()
            let promise = deduplicator.loadImage(with: request, token: source.token)
            if number.isMultiple(of: 2) { source.cancel() } else { for call in loader.calls { call.fulfill(image) } }
            // A load that another began may have been noted by it alone.
            source.cancel()
            do { return try await promise.value === image } catch { return isCancelled(error) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(isSettled == Array(repeating: true, count: 8))
    }
  }
}
