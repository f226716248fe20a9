import Foundation
import NukeTesting
import Testing

@testable import NukeLegacy

@Suite("A loader of version 4", .timeLimit(.minutes(1)))
struct LoaderTests {
  private let url = imageURL("a.png")
  private let gate = Gate()
  private let data = FakeDataLoader()
  private let pipeline: ImagePipeline
  private let loader: Loader

  init() {
    pipeline = .fake(loader: data, imageCache: ImageCache())
    loader = Loader(pipeline: pipeline)
    data.answer(url, with: .data(SampleImage.png(width: 12, height: 8)).held(by: gate))
  }

  @Test("It loads the image at a URL, or of a request, with its pipeline")
  func loading() async throws {
    gate.open()
    #expect(try await loader.loadImage(with: url).value.pixelWidth == 12)
    #expect(pipeline.cache[url]?.image.pixelWidth == 12)
    var request = Request(url: url)
    request.process(with: Every(nth: 2))
    #expect(try await loader.loadImage(with: request).value.pixelWidth == 6)
    #expect(data.requests.count == 1, "the original was in memory")
  }

  @Test("The shared loader uses the current shared pipeline")
  func shared() { #expect(Loader.shared.pipeline === ImagePipeline.shared) }

  @Test("It sends the given URL request")
  func urlRequest() async throws {
    var urlRequest = URLRequest(url: url)
    urlRequest.setValue("de", forHTTPHeaderField: "Accept-Language")
    gate.open()
    _ = try await loader.loadImage(with: Request(urlRequest: urlRequest)).value
    #expect(data.requests[0].value(forHTTPHeaderField: "Accept-Language") == "de")
  }

  @Test("It fails with the pipeline's error")
  func failing() async {
    data.answer(url, with: .failure(Failure(number: 9)))
    let error = await failure(of: loader.loadImage(with: url)) as? ImagePipeline.Error
    #expect(error?.dataLoadingError as? Failure == Failure(number: 9))
  }

  @Test("It fails if a processor returns no image")
  func processorFailing() async {
    struct Nothing: Processing {
      func process(_ image: Image) -> Image? { nil }
    }
    gate.open()
    var request = Request(url: url)
    request.process(with: Nothing())
    let error = await failure(of: loader.loadImage(with: request)) as? ImagePipeline.Error
    guard case .processingFailed? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("It cancels the load when the token is canceled")
  func cancelling() async {
    let source = CancellationTokenSource()
    let promise = loader.loadImage(with: url, token: source.token)
    await data.requests(count: 1)
    source.cancel()
    #expect(isCancelled(await failure(of: promise)))
    await data.cancelledRequests(count: 1)
  }

  @Test("A canceled token starts no load")
  func cancelledBefore() async {
    let source = CancellationTokenSource()
    source.cancel()
    #expect(isCancelled(await failure(of: loader.loadImage(with: url, token: source.token))))
    #expect(data.requests.isEmpty)
  }

  @Test("It coalesces requests with equal processors")
  func coalescing() async throws {
    let log = CallLog()
    let promises = (0..<3).map { _ in
      var request = Request(url: url)
      request.process(with: Every(nth: 2, log: log))
      return loader.loadImage(with: request)
    }
    gate.open()
    let first = try await promises[0].value
    for promise in promises { #expect(try await promise.value === first) }
    #expect(data.requests.count == 1)
    #expect(log.entries == ["every 2"])
  }

  @Test("It does not use the memory cache if the request disables it")
  func memoryOptions() async throws {
    gate.open()
    var request = Request(url: url)
    request.memoryCacheOptions.writeAllowed = false
    _ = try await loader.loadImage(with: request).value
    #expect(pipeline.cache[url] == nil)
    request.memoryCacheOptions = .init(readAllowed: false, writeAllowed: true)
    let first = try await loader.loadImage(with: request).value
    let second = try await loader.loadImage(with: request).value
    #expect(first !== second)
    #expect(try await loader.loadImage(with: url).value === second)
    #expect(data.requests.count == 3)
  }

  @Test("Completed loads remove their closures from a token")
  func longToken() async throws {
    gate.open()
    let source = CancellationTokenSource()
    _ = try await loader.loadImage(with: url, token: source.token).value
    #expect(source.token.registrationCount == 0)
    source.cancel()
    #expect(data.cancelledRequests.isEmpty)
  }
}
