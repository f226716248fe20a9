import Foundation
import FoundationNetworking
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Preview policies", .timeLimit(.minutes(1)))
struct PreviewPolicyTests {
  let url = imageURL("a.jpg")
  /// With enough in it for several previews.
  let progressive: Data

  init() throws {
    progressive = try SampleImage.progressiveJPEG()
  }

  /// A task and its previews from the first one on: data is loaded once somebody listens.
  private func load(with pipeline: ImagePipeline) -> (task: ImageTask, previews: AsyncStream<ImageResponse>) {
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    // All events, since the streams that are made of them begin to listen later.
    let events = task.events
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    let previews = AsyncStream<ImageResponse> { stream in
      Task {
        for await event in events { if case .preview(let response) = event { stream.yield(response) } }
        stream.finish()
      }
    }
    return (task, previews)
  }

  /// A pipeline and its loader, which delivers the first `count` bytes and the rest behind the gate.
  private func pipeline(
    _ data: Data, first count: Int, gate: Gate, policy: ImagePipeline.PreviewPolicy? = nil,
    configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    let loader = FakeDataLoader()
    loader.answer(
      url, with: .init([.chunk(data.prefix(count)), .wait(gate), .chunk(data.dropFirst(count)), .complete(nil)]))
    let configuration = ImagePipeline.Configuration.fake(loader: loader) {
      $0.decodeEveryPart()
      configure(&$0)
    }
    guard let policy else { return ImagePipeline(configuration: configuration) }
    return ImagePipeline(
      configuration: configuration, delegate: HookedDelegate { $0.previewPolicy = { _ in policy } })
  }

  /// Loads data whose rest arrives after the first preview if it `isHeld`.
  private func load(
    _ data: Data, first count: Int, policy: ImagePipeline.PreviewPolicy? = nil, isHeld: Bool = true
  ) async throws -> (previews: [PlatformImage], image: PlatformImage) {
    let gate = Gate(isOpen: !isHeld)
    let (task, previews) = load(with: pipeline(data, first: count, gate: gate, policy: policy))
    var images: [PlatformImage] = []
    for await preview in previews {
      images.append(preview.image)
      gate.open()
    }
    return (images, try await task.image)
  }

  @Test("The delegate can choose the embedded image, and nothing more")
  func thumbnail() async throws {
    let data = CameraImage(embedded: (64, 48), isProgressive: true).data
    let (previews, image) = try await load(data, first: data.count - 50, policy: .thumbnail)
    #expect(previews.map(\.isRed) == [true])
    #expect(image.pixelWidth == 256)
  }

  @Test("thumbnail shows the first frame of a GIF, once")
  func thumbnailOfGIF() async throws {
    let data = SampleGIF.data(grays: [20, 120, 220])
    let (previews, image) = try await load(data, first: data.count - 2, policy: .thumbnail)
    #expect(previews.count == 1)
    #expect(image.pixels == previews.first?.pixels)
  }

  @Test("thumbnail shows the embedded thumbnail of a baseline JPEG")
  func thumbnailOfBaseline() async throws {
    let data = CameraImage(embedded: (64, 48)).data
    let (previews, image) = try await load(data, first: data.count - 50, policy: .thumbnail)
    #expect(previews.map(\.isRed) == [true])
    #expect(image.pixelWidth == 256)
  }

  @Test(
    "incremental shows the available rows of a baseline JPEG, and the default nothing",
    arguments: [true, false])
  func baseline(isIncremental: Bool) async throws {
    let data = try JPEGWriter(quality: 0.9).encode(SampleImage.bitmap(width: 160, height: 120))
    let (previews, image) = try await load(
      data, first: data.count * 3 / 4, policy: isIncremental ? .incremental : nil, isHeld: isIncremental)
    #expect((previews.count > 0) == isIncremental)
    guard let first = previews.first else { return }
    #expect((first.pixelWidth, first.pixelHeight) == (160, 120))
    #expect(!first.isOpaque)
    #expect(first.pixels.prefix(160 * 4 * 8) == image.pixels.prefix(160 * 4 * 8))
  }

  @Test("The delegate is asked again when more data arrives, without waiting for the interval")
  func askedAgain() async throws {
    let (data, gate, counts) = (progressive, Gate(), CallLog())
    let loader = FakeDataLoader()
    let (first, last) = (data.count / 2, Gate())
    loader.answer(
      url,
      with: .init([
        .chunk(data.prefix(first)), .wait(gate), .chunk(data[first..<(data.count - 20)]), .wait(last),
        .chunk(data.dropFirst(data.count - 20)), .complete(nil),
      ]))
    let configuration = ImagePipeline.Configuration.fake(loader: loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = 3000
    }
    let delegate = HookedDelegate {
      $0.previewPolicy = { context in
        counts.append("\(context.data.count)")
        defer { gate.open() }
        return context.data.count > first ? .incremental : .disabled
      }
    }
    let (task, previews) = load(with: ImagePipeline(configuration: configuration, delegate: delegate))
    var count = 0
    for await _ in previews {
      count += 1
      last.open()
    }
    #expect(count == 1)
    #expect(counts.entries == ["\(first)", "\(data.count - 20)"])
    _ = try await task.image
  }

  /// The pieces in which data arrives, without a pause: the sizes of all but the last, as shares of the whole.
  static let pieces: [[Double]] = [[], [0.5], [0.0001, 0.5], [0.2, 0.4, 0.6, 0.8]]

  @Test(
    "The first preview is delivered even if all data and its end arrive in one turn", arguments: pieces,
    [FakeDataLoader.Delivery.synchronous, .asynchronous])
  func oneTurn(_ cuts: [Double], _ delivery: FakeDataLoader.Delivery) async throws {
    let loader = FakeDataLoader(delivery: delivery)
    let ends = cuts.map { max(1, Int($0 * Double(progressive.count))) } + [progressive.count]
    let chunks = zip([0] + ends, ends).map { FakeDataLoader.Answer.Step.chunk(progressive[$0..<$1]) }
    loader.answer(url, with: .init(chunks + [.complete(nil)]))
    let policies = CallLog()
    let delegate = HookedDelegate {
      $0.previewPolicy = { context in
        policies.append("\(context.data.count)")
        return .default(for: context.data)
      }
    }
    let configuration = ImagePipeline.Configuration.fake(loader: loader) { $0.isProgressiveDecodingEnabled = true }
    let (task, previews) = load(with: ImagePipeline(configuration: configuration, delegate: delegate))
    var count = 0
    for await preview in previews {
      #expect(preview.isPreview)
      count += 1
    }
    #expect(count >= 1)
    #expect(!policies.entries.isEmpty)
    #expect(try await !task.response.isPreview)
  }

  @Test("The rest of a resumed download and its end, in one turn, come after the first preview")
  func resumedInOneTurn() async throws {
    let loader = FakeDataLoader()
    let half = progressive.count / 2
    func response(_ status: Int, _ fields: [String: String]) -> HTTPURLResponse? {
      HTTPURLResponse(
        url: url, statusCode: status, httpVersion: nil,
        headerFields: fields.merging(["ETag": "\"1\"", "Accept-Ranges": "bytes"]) { first, _ in first })
    }
    let size = progressive.count
    loader.answer(
      url,
      with: .init(
        [.chunk(progressive.prefix(half)), .complete(URLError(.networkConnectionLost))],
        response: response(200, ["Content-Length": "\(size)"])),
      .init(
        [.chunk(progressive.dropFirst(half)), .complete(nil)],
        response: response(206, ["Content-Range": "bytes \(half)-\(size - 1)/\(size)"])))
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.isResumableDataEnabled = true
    }
    _ = await loadFailure(try await pipeline.image(for: url))
    let (task, previews) = load(with: pipeline)
    var count = 0
    for await _ in previews { count += 1 }
    #expect(count >= 1)
    #expect(task.facts.resumedByteCount == half)
    _ = try await task.image
  }

  @Test("disabled shows nothing")
  func disabled() async throws {
    let data = CameraImage(embedded: (64, 48), isProgressive: true).data
    let (gate, decoders) = (Gate(), CallLog())
    gate.open()
    let pipeline = pipeline(data, first: data.count - 50, gate: gate, policy: .disabled) {
      $0.makeImageDecoder = { context in
        decoders.append(context.isCompleted ? "whole" : "part")
        return ImageDecoders.Default()
      }
    }
    let task = pipeline.imageTask(with: url)
    _ = try await task.image
    #expect(decoders.entries == ["whole"])
  }

  @Test("thumbnail works with a JPEG with much metadata before its pixels")
  func largeHeader() async throws {
    let data = CameraImage(embedded: (64, 48), isProgressive: true, paddingCount: 5).data
    let (previews, image) = try await load(data, first: data.count - 50)
    #expect(previews.map(\.isRed) == [true])
    #expect(image.pixelWidth == 256)
  }

  @Test("No preview is created before the interval is over")
  func interval() async throws {
    let data = progressive
    let (gates, loader) = ([Gate(), Gate()], FakeDataLoader(delivery: .synchronous))
    let cuts = [data.count - 50, data.count - 30]
    loader.answer(
      url,
      with: .init([
        .chunk(data.prefix(cuts[0])), .wait(gates[0]), .chunk(data[cuts[0]..<cuts[1]]), .wait(gates[1]),
        .chunk(data.dropFirst(cuts[1])), .complete(nil),
      ]))
    let decoder = CountingDecoder()
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = 3000
      $0.makeImageDecoder = { $0.isCompleted ? ImageDecoders.Default() as any ImageDecoding : decoder }
    }
    let (task, stream) = load(with: pipeline)
    var previews = stream.makeAsyncIterator()
    _ = try #require(await previews.next())
    gates[0].open()
    // Decoding is done in order: behind this image, an attempt that was begun would be over.
    let png = SampleImage.png(width: 4, height: 4)
    _ = try await pipeline.image(for: ImageRequest(id: "other", data: { png }, options: .skipDataLoadingQueue))
    #expect(decoder.log.entries == ["preview"])
    gates[1].open()
    _ = try await task.image
    #expect(decoder.log.entries == ["preview"])
  }

  private final class CountingDecoder: ImageDecoding {
    let log = CallLog()

    func decode(_ data: Data) throws -> ImageContainer { throw ImageDecodingError.unknown }

    func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      log.append("preview")
      return ImageContainer(image: SampleImage.bitmap(width: 4, height: 4), isPreview: true)
    }
  }
}
