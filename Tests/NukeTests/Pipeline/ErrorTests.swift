import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Load errors", .timeLimit(.minutes(1)))
struct ErrorTests {
  struct Broken: Error, CustomStringConvertible {
    var description: String { "it broke" }
  }

  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let data = SampleImage.png(width: 20, height: 10)

  private func error(
    of request: ImageRequest, on pipeline: ImagePipeline
  ) async -> ImagePipeline.Error? {
    await loadFailure(try await pipeline.image(for: request))
  }

  /// The case's name and the sentence for a person.
  private func text(_ error: ImagePipeline.Error?) -> String {
    guard let error else { return "no error" }
    let name =
      switch error {
      case .dataMissingInCache: "dataMissingInCache"
      case .dataLoadingFailed: "dataLoadingFailed"
      case .dataIsEmpty: "dataIsEmpty"
      case .decoderNotRegistered: "decoderNotRegistered"
      case .decodingFailed: "decodingFailed"
      case .processingFailed: "processingFailed"
      case .imageRequestMissing: "imageRequestMissing"
      case .pipelineInvalidated: "pipelineInvalidated"
      case .dataDownloadExceededMaximumSize: "dataDownloadExceededMaximumSize"
      case .cancelled: "cancelled"
      }
    return "\(name): \(error)"
  }

  @Test("The loader's error is reported unchanged")
  func loading() async {
    loader.answer(url, with: .failure(Broken(), after: [data.prefix(10)]))
    let error = await error(of: ImageRequest(url: url), on: .fake(loader: loader))
    #expect(text(error) == "dataLoadingFailed: Failed to load image data. Underlying error: it broke.")
    #expect(error?.dataLoadingError is Broken)
  }

  @Test("The closure's error is reported", arguments: [true, false])
  func closure(ofData: Bool) async {
    let request =
      ofData
      ? ImageRequest(id: "a", data: { throw Broken() }) : ImageRequest(id: "a", image: { throw Broken() })
    let error = await error(of: request, on: .fake(loader: loader))
    #expect(text(error) == "dataLoadingFailed: Failed to load image data. Underlying error: it broke.")
  }

  @Test("An empty source is an error")
  func empty() async {
    loader.answer(url, with: .data(Data()))
    let pipeline = ImagePipeline.fake(loader: loader)
    let expected = "dataIsEmpty: The data loader returned no data: the source is empty."
    #expect(text(await error(of: ImageRequest(url: url), on: pipeline)) == expected)
    #expect(text(await error(of: ImageRequest(id: "a", data: { Data() }), on: pipeline)) == expected)
    #expect(text(await error(of: ImageRequest(url: URL(string: "data:,")), on: pipeline)) == expected)
  }

  @Test("An announced length above the limit is an error before the body arrives")
  func announcedSize() async {
    let gate = Gate()
    let announced = response(to: URLRequest(url: url), length: 1001)
    loader.answer(url, with: .data(data, chunkSize: 10, response: announced).held(by: gate, afterChunks: 1))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = 1000 }
    let error = await error(of: ImageRequest(url: url), on: pipeline)
    #expect(
      text(error) == "dataDownloadExceededMaximumSize: The image data exceeded the maximum response data size.")
    #expect(await loader.cancelledRequests(count: 1).count == 1)
  }

  @Test("A body above the limit is an error, whatever length was announced")
  func receivedSize() async {
    let gate = Gate()
    let lie = response(to: URLRequest(url: url), length: 5)
    loader.answer(
      url, with: .data(Data(count: 2000), chunkSize: 500, response: lie).held(by: gate, afterChunks: 3))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = 1000 }
    let error = await error(of: ImageRequest(url: url), on: pipeline)
    #expect(text(error).hasPrefix("dataDownloadExceededMaximumSize"))
    #expect(await loader.cancelledRequests(count: 1).count == 1)
  }

  @Test("Without a limit, any size is allowed, and a body of exactly the limit too")
  func sizeAllowed() async throws {
    loader.answer(url, with: .data(data))
    let exact = ImagePipeline.fake(loader: loader) { [data] in $0.maximumResponseDataSize = data.count }
    #expect(try await exact.image(for: url).pixelWidth == 20)
    let unlimited = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = nil }
    #expect(try await unlimited.image(for: url).pixelWidth == 20)
  }

  @Test("The limit applies to local sources too")
  func localSize() async {
    let inline = URL(string: "data:image/png;base64,\(data.base64EncodedString())")!
    let pipeline = ImagePipeline.fake(loader: loader) { $0.maximumResponseDataSize = 20 }
    let error = await error(of: ImageRequest(url: inline), on: pipeline)
    #expect(text(error).hasPrefix("dataDownloadExceededMaximumSize"))
  }

  @Test("Data without a decoder is an error")
  func noDecoder() async {
    loader.answer(url, with: .data(data))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { _ in nil } }
    let error = await error(of: ImageRequest(url: url), on: pipeline)
    #expect(
      text(error) == "decoderNotRegistered: No decoders are registered for the data of http://pictures.test/a.png.")
    guard case .decoderNotRegistered(let context) = error else { return }
    #expect(context.data == data)
  }

  @Test("Data that is damaged or not an image fails with the codec's error")
  func decoding() async throws {
    loader.answer(url, with: .data(Data("<html><body>Not found</body></html>".utf8)), .data(data.prefix(50)))
    let pipeline = ImagePipeline.fake(loader: loader)
    let html = await error(of: ImageRequest(url: url), on: pipeline)
    #expect(
      text(html)
        == "decodingFailed: Failed to decode http://pictures.test/a.png with the decoder Default. "
        + "Underlying error: not an image: it looks like HTML.")
    let truncated = await error(of: ImageRequest(url: url), on: pipeline)
    guard case .decodingFailed(let decoder, let context, let reason) = truncated else {
      throw Unexpected(text(truncated))
    }
    #expect(decoder is ImageDecoders.Default)
    #expect(context.data == data.prefix(50))
    #expect(reason is CodecError)
  }

  @Test("An image above the limits fails with the codec's error before memory is allocated")
  func limits() async throws {
    loader.answer(url, with: .data(data))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.codecLimits = CodecLimits(maximumPixelCount: 199) }
    guard case .decodingFailed(_, _, let reason) = await error(of: ImageRequest(url: url), on: pipeline) else {
      throw Unexpected("it was decoded")
    }
    #expect(reason as? CodecError == .tooLarge(.png, width: 20, height: 10, limit: .pixelCount(199)))
  }

  @Test("A custom decoder's error is reported")
  func customDecoding() async {
    loader.answer(url, with: .data(data))
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.makeImageDecoder = { _ in FakeDecoder { _ in throw Broken() } }
    }
    #expect(
      text(await error(of: ImageRequest(url: url), on: pipeline))
        == "decodingFailed: Failed to decode http://pictures.test/a.png with the decoder FakeDecoder. "
        + "Underlying error: it broke.")
  }

  @Test("A processor's error is reported with the processor")
  func processing() async {
    loader.answer(url, with: .data(data))
    let cache = FakeImageCache()
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: cache)
    let after = FakeProcessor("after")
    let error = await error(
      of: ImageRequest(url: url, processors: [FakeProcessor("sepia") { _ in throw Broken() }, after]), on: pipeline)
    #expect(
      text(error)
        == "processingFailed: Failed to process http://pictures.test/a.png with the processor sepia. "
        + "Underlying error: it broke.")
    guard case .processingFailed(let processor, let context, _) = error else { return }
    #expect(processor.identifier == "sepia")
    #expect(context.isCompleted)
    #expect(context.response.image.pixelWidth == 20)
    #expect(after.count == 0)
    #expect(cache.writeCount == 0)
  }

  @Test("A processor that returns no image is an error that says so")
  func processingNil() async {
    loader.answer(url, with: .data(data))
    let request = ImageRequest(url: url, processors: [.process(id: "nothing") { _ in nil }])
    let error = await error(of: request, on: .fake(loader: loader))
    #expect(
      text(error)
        == "processingFailed: Failed to process http://pictures.test/a.png with the processor nothing. "
        + "Underlying error: the processor returned no image.")
  }

  @Test("A request without a URL is an error")
  func noURL() async {
    let pipeline = ImagePipeline.fake(loader: loader)
    let error = await error(of: ImageRequest(url: nil), on: pipeline)
    #expect(
      text(error) == "dataLoadingFailed: Failed to load image data. Underlying error: The request has no valid URL.")
    #expect(pipeline.imageTask(with: ImageRequest(url: nil)).state == .completed)
  }

  @Test("Invalidating a pipeline fails running and later loads")
  func invalidation() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(data).held(by: gate))
    loader.answer(imageURL("b.png"), with: .data(data).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader)
    let tasks = [pipeline.imageTask(with: url), pipeline.imageTask(with: imageURL("b.png"))]
    await loader.requests(count: 1)
    pipeline.cache[imageURL("kept.png")] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    pipeline.invalidate()
    let expected = "pipelineInvalidated: The image pipeline has been invalidated and loads no more images."
    for task in tasks { #expect(text(await loadFailure(try await task.image)) == expected) }
    #expect(pipeline.load == (0, 0))
    gate.open()
    #expect(text(await error(of: ImageRequest(url: url), on: pipeline)) == expected)
    #expect(text(await error(of: ImageRequest(url: imageURL("kept.png")), on: pipeline)) == expected)
    let data = await loadFailure(try await pipeline.data(for: ImageRequest(url: url)))
    #expect(text(data) == expected)
    pipeline.invalidate()
  }

  @Test("All tasks that share the work receive the error")
  func shared() async {
    let gate = Gate()
    loader.answer(url, with: .failure(Broken()).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader)
    let tasks = (0..<5).map { number in
      pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor("\(number)")]))
    }
    gate.open()
    for task in tasks {
      let error = await loadFailure(try await task.image)
      #expect(text(error) == "dataLoadingFailed: Failed to load image data. Underlying error: it broke.")
    }
  }

  @Test("An error is not cached: the next load may succeed")
  func afterwards() async throws {
    loader.answer(url, with: .failure(Broken()), .data(data))
    let pipeline = ImagePipeline.fake(loader: loader)
    #expect(await error(of: ImageRequest(url: url), on: pipeline) != nil)
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
  }

  @Test("The description has the stage and the underlying error, and names the image if the error contains it")
  func descriptions() {
    let simple: [ImagePipeline.Error] = [
      .dataMissingInCache, .dataIsEmpty, .imageRequestMissing, .pipelineInvalidated, .dataDownloadExceededMaximumSize,
      .cancelled,
    ]
    #expect(
      simple.map(\.description) == [
        "The image is not in the caches, and the request does not allow loading it.",
        "The data loader returned no data: the source is empty.", "There is no image request to load.",
        "The image pipeline has been invalidated and loads no more images.",
        "The image data exceeded the maximum response data size.", "The image task was canceled.",
      ])
    let name = "http://pictures.test/a.png"
    #expect(
      deeper(ImageRequest(url: url)).map(\.description) == [
        "Failed to load image data. Underlying error: The server answered with status 404.",
        "No decoders are registered for the data of \(name).",
        "Failed to decode \(name) with the decoder Empty. Underlying error: \(ImageDecodingError.unknown).",
        "Failed to process \(name) with the processor p. Underlying error: the image has no pixels.",
      ])
    let lost = DataLoader.TransferError.connectionLost(host: "pictures.test", reason: "it ended").urlError(for: url)
    #expect(
      ImagePipeline.Error.dataLoadingFailed(error: lost).description
        == "Failed to load image data from \(name). "
        + "Underlying error: The connection to pictures.test was lost: it ended.")
  }

  private func deeper(_ request: ImageRequest) -> [ImagePipeline.Error] {
    let context = ImageDecodingContext(request: request, data: Data())
    let response = ImageResponse(container: ImageContainer(image: .init()), request: request)
    let processing = ImageProcessingContext(request: request, response: response, isCompleted: true)
    return [
      .dataLoadingFailed(error: DataLoader.Error.statusCodeUnacceptable(404)), .decoderNotRegistered(context: context),
      .decodingFailed(decoder: ImageDecoders.Empty(), context: context, error: ImageDecodingError.unknown),
      .processingFailed(
        processor: FakeProcessor("p"), context: processing, error: ImageProcessors.SizeError.emptyImage),
    ]
  }

  @Test("The description for a request names its image, and contains no secrets of its URL")
  func descriptionsForRequests() {
    let request = ImageRequest(url: URL(string: "http://me:word@pictures.test/a.png?token=1#part"))
    let simple: [ImagePipeline.Error] = [
      .dataMissingInCache, .dataIsEmpty, .pipelineInvalidated, .dataDownloadExceededMaximumSize, .cancelled,
    ]
    for error in simple + deeper(request) {
      let text = error.description(for: request)
      #expect(text.contains("http://pictures.test/a.png"), "\(text)")
      #expect(!text.contains("token") && !text.contains("me:") && !text.contains("word") && !text.contains("part"))
    }
    #expect(
      deeper(request)[0].description(for: request)
        == "Failed to load image data from http://pictures.test/a.png. "
        + "Underlying error: The server answered with status 404.")
    #expect(
      ImagePipeline.Error.dataIsEmpty.description(for: ImageRequest(id: "photo", data: { Data() }))
        == "The data loader returned no data for photo: the source is empty.")
  }

  @Test("A URLError of another loader is described without the secrets of its URL")
  func foreignURLError() {
    let secret = URL(string: "http://me:word@pictures.test/a.png?token=1")!
    var userInfo: [String: Any] = [NSURLErrorFailingURLErrorKey: secret]
    func text() -> String { "\(ImagePipeline.Error.dataLoadingFailed(error: URLError(.timedOut, userInfo: userInfo)))" }
    let start = "Failed to load image data from http://pictures.test/a.png. Underlying error: "
    #expect(text() == start + "NSURLErrorDomain error -1001.")
    userInfo[NSLocalizedDescriptionKey] = "Operation timed out"
    #expect(text() == start + "Operation timed out.")
  }

  @Test("The localized description is the description")
  func localizedDescription() {
    let status = DataLoader.Error.statusCodeUnacceptable(404)
    for error in deeper(ImageRequest(url: url)) { #expect((error as any Error).localizedDescription == "\(error)") }
    #expect(status.localizedDescription == "The server answered with status 404.")
  }

  @Test("dataLoadingError is set only if loading failed")
  func loadingError() {
    #expect(ImagePipeline.Error.dataIsEmpty.dataLoadingError == nil)
  }

  @Test("isCancelled tells a cancellation from a failure")
  func cancellation() {
    #expect(ImagePipeline.Error.cancelled.isCancelled)
    #expect(!ImagePipeline.Error.dataIsEmpty.isCancelled)
  }
}
