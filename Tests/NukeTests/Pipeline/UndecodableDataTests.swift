import Foundation
import Nuke
import NukeCodecs
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

@Suite("Data that cannot be decoded", .timeLimit(.minutes(1)))
struct UndecodableDataTests {
  let url = imageURL("a.png")
  let key = imageURL("a.png").absoluteString
  let original = SampleImage.png(width: 20, height: 10)
  let page = Data("<html>Please log in</html>".utf8)
  let loader = FakeDataLoader()
  private let origins = Origins()

  private func pipeline(
    _ cache: FakeDataCache?, tolerance: DamageTolerance = .tolerant,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeOriginalData
      $0.makeImageDecoder = { ImageDecoders.Default(context: $0, tolerance: tolerance) }
      configure(&$0)
    }
  }

  private func isDecodingFailed(_ error: ImagePipeline.Error?) -> Bool {
    if case .decodingFailed = error { true } else { false }
  }

  static let requests: [[any ImageProcessing]] = [[], [.resize(width: 5)], [FakeProcessor("a")]]

  @Test(
    "A page that a server sent in place of an image is removed from the disk, and the next load asks again",
    arguments: requests.indices)
  func pageOnDisk(_ index: Int) async throws {
    loader.answer(url, with: .data(page), .data(original))
    let cache = FakeDataCache()
    let request = ImageRequest(url: url, processors: Self.requests[index])
    let pipeline = pipeline(cache)
    let error = await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: request) }
    #expect(isDecodingFailed(error))
    #expect(await cache.writes(count: 1) == [key])
    let task = pipeline.imageTask(with: request)
    let response = try await task.response
    #expect(response.container.image.pixelWidth == (index == 1 ? 5 : 20))
    #expect(response.cacheType == nil)
    #expect(task.facts.origin == .network)
    #expect(loader.requests.count == 2)
    #expect(await cache.writes(count: 2).count == 2)
    let again = try await pipeline.image(for: request)
    #expect(again.pixelWidth == (index == 1 ? 5 : 20))
    #expect(loader.requests.count == 2)
  }

  @Test(
    "The original is loaded again once, or not if the request allows only cached data, and then the load fails",
    arguments: [([], 1), (.returnCacheDataDontLoad, 0)] as [(ImageRequest.Options, Int)])
  func loadedAgain(options: ImageRequest.Options, count: Int) async throws {
    loader.answer(url, with: .data(page))
    let (pipeline, request) = (pipeline(FakeDataCache([key: page])), ImageRequest(url: url, options: options))
    let error = await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: request) }
    #expect(isDecodingFailed(error))
    #expect(loader.requests.count == count)
  }

  @Test("Two requests for the data of one entry share the second load")
  func shared() async throws {
    let gate = NukeTesting.Gate()
    loader.answer(url, with: FakeDataLoader.Answer([.wait(gate), .chunk(original), .complete(nil)]))
    let pipeline = pipeline(FakeDataCache([key: page]))
    async let whole = pipeline.image(for: url)
    async let part = pipeline.image(for: ImageRequest(url: url, processors: [.resize(width: 5)]))
    await loader.requests(count: 1)
    gate.open()
    let (large, small) = try await (whole, part)
    #expect(large.pixelWidth == 20)
    #expect(small.pixelWidth == 5)
    #expect(loader.requests.count <= 2)
  }

  @Test("A page in the HTTP cache under the pipeline is loaded again")
  func pageInHTTPCache() async throws {
    let answers = CallLog()
    let origin = try origins.start { [page, original] _ in
      answers.append("answer")
      var response = NukeOrigin.Response.data(answers.entries.count == 1 ? page : original, type: "image/png")
      response.headers.append(("Cache-Control", "max-age=600"))
      return response
    }
    var configuration = DataLoader.Configuration()
    let folder = try TemporaryFolder()
    configuration.urlCache = try HTTPCache(path: folder.url)
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: configuration), imageCache: nil)
    let url = origin.url("/a.png")
    await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: url) }
    _ = try await pipeline.image(for: url)
    #expect(answers.entries.count == 2)
    _ = try await pipeline.image(for: url)
    #expect(answers.entries.count == 2)
  }

  // MARK: Tolerance

  private var half: Data { original.prefix(original.count * 7 / 10) }

  @Test("By default, half an image is shown with its damage, and its variants are not stored on disk")
  func tolerant() async throws {
    loader.answer(url, with: .data(half))
    let cache = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
    }
    let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor("a")]))
    let container = try await task.response.container
    #expect(container.damage?.reason == .truncated(.png, byteCount: half.count))
    #expect(container.damage.map { 0..<1 ~= $0.rowFraction } == true)
    #expect(task.facts.notCachedOnDisk == .damaged)
    #expect("\(container)".contains("damaged"))
    await withCheckedContinuation { continuation in
      pipeline.configuration.imageEncodingQueue.add { continuation.resume() }
    }
    #expect(cache.contents.isEmpty)
    pipeline.cache.storeCachedImage(container, for: ImageRequest(url: url), caches: .disk)
    #expect(cache.contents.isEmpty)
  }

  @Test("A strict decoder fails, and the next load asks again")
  func strict() async throws {
    loader.answer(url, with: .data(half), .data(original))
    let cache = FakeDataCache()
    let pipeline = pipeline(cache, tolerance: .strict)
    let error = await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: url) }
    #expect(isDecodingFailed(error))
    #expect(await cache.writes(count: 1) == [key])
    _ = try await pipeline.image(for: url)
  }

  @Test("An encoded image on disk that is damaged is made again")
  func storedVariant() async throws {
    let request = ImageRequest(url: url, processors: [FakeProcessor("/a")])
    loader.answer(url, with: .data(original))
    let cache = FakeDataCache([key + "/a": half])
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
    }
    let container = try await pipeline.imageTask(with: request).response.container
    #expect(container.damage == nil)
    #expect(loader.requests.count == 1)
  }
}
