import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Loading images", .timeLimit(.minutes(1)))
struct LoadingTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let cache = FakeImageCache()
  let pipeline: ImagePipeline
  let data = SampleImage.png(width: 20, height: 10)

  init() {
    pipeline = .fake(loader: loader, imageCache: cache)
    loader.answer(url, with: .data(data))
  }

  @Test("An image in one chunk or several is downloaded and decoded, with the server's response", arguments: [nil, 7])
  func load(chunkSize: Int?) async throws {
    loader.answer(url, with: .data(data, chunkSize: chunkSize))
    let response = try await pipeline.imageTask(with: url).response
    #expect(response.image.pixels == SampleImage.bitmap(width: 20, height: 10).pixels)
    #expect(response.container.type == .png)
    #expect((response.urlResponse as? HTTPURLResponse)?.statusCode == 200)
    #expect(response.isPreview == false)
    #expect(response.request.url == url)
    #expect(loader.requests.map(\.url) == [url])
    #expect(pipeline.load == (0, 0))
  }

  @Test("A URL request is sent unchanged")
  func urlRequest() async throws {
    var urlRequest = URLRequest(url: url)
    urlRequest.setValue("secret", forHTTPHeaderField: "Authorization")
    _ = try await pipeline.image(for: ImageRequest(urlRequest: urlRequest))
    #expect(loader.requests.first?.value(forHTTPHeaderField: "Authorization") == "secret")
  }

  @Test("Data is returned unchanged and not decoded")
  func dataOnly() async throws {
    let (received, response) = try await pipeline.data(for: ImageRequest(url: url))
    #expect(received == data)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("A task starts without a waiter")
  func unawaited() async {
    _ = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    #expect(loader.requests.count == 1)
  }

  @Test("A closure can return an image, which is processed")
  func imageClosure() async throws {
    let processor = FakeProcessor("p")
    let request = ImageRequest(
      id: "mine", image: { ImageContainer(image: SampleImage.bitmap(width: 6, height: 4), type: .gif) },
      processors: [.resize(width: 3, unit: .pixels), processor])
    let response = try await pipeline.imageTask(with: request).response
    #expect(response.image.pixelWidth == 3)
    #expect(response.container.type == .gif)
    #expect(processor.count == 1)
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("With local resources disabled, the loader gets file: and data: URLs")
  func localResourcesOff() async throws {
    let inline = URL(string: "data:image/png;base64,\(data.base64EncodedString())")!
    loader.answer(inline, with: .data(SampleImage.png(width: 3, height: 3)))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.isLocalResourcesSupportEnabled = false }
    #expect(try await pipeline.image(for: inline).pixelWidth == 3)
    #expect(loader.requests.map(\.url) == [inline])
  }

  @Test("The facts contain the origin and the duration of each stage")
  func facts() async throws {
    let jpeg = SampleImage.jpeg(width: 64, height: 48)
    loader.answer(url, with: .data(jpeg))
    let task = pipeline.imageTask(
      with: ImageRequest(url: url, processors: [.resize(width: 16, unit: .pixels), FakeProcessor("p")]))
    _ = try await task.image
    let facts = task.facts
    #expect(facts.origin == .network)
    #expect(facts.byteCount == jpeg.count)
    #expect(facts.scaleDenominator == 4)
    #expect(facts.isCoalesced == false)
    #expect(facts.loading > 0)
    #expect(facts.decoding > 0)
    #expect(facts.processing > 0)
    #expect(facts.total >= facts.decoding + facts.processing)
  }

  @Test("An image has the requested scale, and scales share the decode", arguments: [CGFloat(1), 2, 3])
  func scale(scale: CGFloat) async throws {
    var request = ImageRequest(url: url)
    request.scale = scale
    let image = try await pipeline.image(for: request)
    #expect(image.scale == scale)
    #expect(image.pixelWidth == 20)
    #expect(image.size.width == 20 / scale)
  }

  @Test("A custom decoder gets the full size, whatever the processors")
  func customDecoder() async throws {
    let decoder = FakeDecoder(SampleImage.bitmap(width: 64, height: 48))
    loader.answer(url, with: .data(Data("not an image at all".utf8)))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }
    let task = pipeline.imageTask(
      with: ImageRequest(url: url, processors: [.resize(width: 8, unit: .pixels)]))
    #expect(try await task.image.pixelWidth == 8)
    #expect(task.facts.scaleDenominator == 1)
    #expect(decoder.receivedData == [Data("not an image at all".utf8)])
  }

  @Test("A quick decoder runs without the decoding queue")
  func synchronousDecoder() async throws {
    let decoder = FakeDecoder(SampleImage.bitmap(width: 2, height: 2), isAsynchronous: false)
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.makeImageDecoder = { _ in decoder }
      $0.imageDecodingQueue.isSuspended = true
    }
    #expect(try await pipeline.image(for: url).pixelWidth == 2)
  }

  @Test("A decoder gets the context")
  func decodingContext() async throws {
    let contexts = Lock<[ImageDecodingContext]>([])
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.makeImageDecoder = { context in
        contexts.withLock { $0.append(context) }
        return ImageDecoders.Default()
      }
    }
    _ = try await pipeline.image(for: url)
    let context = try #require(contexts.withLock { $0.first })
    #expect(context.data == data)
    #expect(context.request.url == url)
    #expect(context.urlResponse?.url == url)
    #expect(context.cacheType == nil)
  }

  @Test("Processors apply in order")
  func processorOrder() async throws {
    let log = CallLog()
    let processors = ["a", "b", "c"].map { FakeProcessor($0, log: log) }
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: processors))
    #expect(log.entries == ["process a", "process b", "process c"])
  }

  @Test("A load that skips the queue does not wait in it")
  func skippingTheQueue() async throws {
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    #expect(
      try await pipeline.image(for: ImageRequest(url: url, options: .skipDataLoadingQueue)).pixelWidth == 20)
    let data = data
    let ofData = ImageRequest(id: "data", data: { data }, options: .skipDataLoadingQueue)
    #expect(try await pipeline.image(for: ofData).pixelWidth == 20)
    let ofImage = ImageRequest(
      id: "image", image: { ImageContainer(image: SampleImage.bitmap(width: 5, height: 5)) },
      options: .skipDataLoadingQueue)
    #expect(try await pipeline.image(for: ofImage).pixelWidth == 5)
  }
}
