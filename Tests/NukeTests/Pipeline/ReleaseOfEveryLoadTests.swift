import Foundation
import Nuke
import NukeCodecs
import NukeOrigin
import NukeTesting
import Testing

/// Each load has a processor and a pipeline of its own, which must be gone once the load has ended. The processors are no
/// fakes, which would keep the images they received.
@Suite("Memory after loads of every kind", .timeLimit(.minutes(1)))
struct ReleaseOfEveryLoadTests {
  private typealias Gate = NukeTesting.Gate

  private let url = imageURL("a")

  /// Runs `load` with a pipeline and a processor that nothing else retains, then waits until both are gone.
  private func released(
    _ configuration: @autoclosure () -> ImagePipeline.Configuration,
    _ load: (ImagePipeline, @escaping @Sendable (PlatformImage) -> PlatformImage) async throws -> Void
  ) async throws {
    let log = CallLog()
    do {
      let pipeline = ImagePipeline(configuration: configuration(), delegate: CanaryDelegate(Canary("pipeline", log)))
      let canary = Canary("processor", log)
      try await load(pipeline) { image in
        _ = canary
        return image
      }
    }
    let gone = await log.entries(count: 2)
    #expect(Set(gone) == ["pipeline", "processor"])
  }

  private func request(
    _ process: @escaping @Sendable (PlatformImage) -> PlatformImage, thumbnail: CGFloat? = nil
  ) -> ImageRequest {
    var request = ImageRequest(
      url: url, processors: [.process(id: "first") { process($0) }, .process(id: "second") { process($0) }])
    request.thumbnail = thumbnail.map { .init(maxPixelSize: $0) }
    return request
  }

  @Test("A load with processed previews and a thumbnail retains nothing", arguments: [nil, 64] as [CGFloat?])
  func previews(thumbnail: CGFloat?) async throws {
    let data = try SampleImage.progressiveJPEG()
    let (loader, gate, last) = (FakeDataLoader(), Gate(), Gate())
    loader.answer(url, with: .parts(of: data, cutAt: [data.count - 50], heldBy: [gate, last]))
    try await released(.fake(loader: loader) { $0.decodeEveryPart() }) { pipeline, process in
      let task = pipeline.imageTask(with: request(process, thumbnail: thumbnail))
      let previews = task.previews
      gate.open()
      var count = 0
      for await _ in previews {
        count += 1
        last.open()
      }
      #expect(count > 0)
      _ = try await task.image
    }
  }

  @Test("A load of an animated image whose frames are processed retains nothing")
  func animation() async throws {
    let loader = FakeDataLoader { _ in .data(SampleGIF.data(grays: [10, 20, 30])) }
    try await released(.fake(loader: loader)) { pipeline, process in
      let response = try await pipeline.imageTask(with: request(process)).response
      let animation = try #require(response.container.animation)
      let frames = try animation.frames()
      while try frames.next() != nil {}
    }
  }

  @Test("A load that shows a stale image and validates it retains nothing")
  func freshness() async throws {
    let (origin, folder, log) = (VersionedOrigin(), DiskFolder(), CallLog())
    do {
      let canary = Canary("processor", log)
      let pipeline = origin.pipeline(.respect, cache: try DataCache(path: folder.url))
      let process: @Sendable (PlatformImage) -> PlatformImage = { image in
        _ = canary
        return image
      }
      let request = ImageRequest(url: origin.url, processors: [.process(id: "p", process)])
      for _ in 0..<3 {
        try await pipeline.loadAndStore(request)
        origin.pass(seconds: 61)
      }
    }
    #expect(await log.entries(count: 1) == ["processor"])
  }

  @Test("A load that resumes a download retains nothing")
  func resumption() async throws {
    let body = SampleImage.png(width: 64, height: 64)
    let calls = CallCounter()
    let origin = try NukeOrigin { request in
      let whole = NukeOrigin.Response.ranged(body, etag: "\"a\"", for: request)
      return calls.next() == 1 ? whole.scripted(.head, .bytes(body.count / 2), .close) : whole
    }
    defer { origin.stop() }
    try await released(.fake(loader: DataLoader(configuration: .init()))) { pipeline, process in
      var request = request(process)
      request = ImageRequest(url: origin.url("/a"), processors: request.processors)
      await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: request) }
      _ = try await pipeline.image(for: request)
      #expect(origin.log.requests.last?.header("Range") != nil)
    }
  }

  enum Stage: CaseIterable { case queued, loading, previewing, decoding, processing, stored }

  @Test("A load that is canceled at any stage retains nothing", arguments: Stage.allCases)
  func cancellation(stage: Stage) async throws {
    let (gate, reached) = (Gate(), Gate())
    let (loader, gif) = (FakeDataLoader(), SampleGIF.data(grays: [10, 20]))
    let decoder = ScriptedDecoder(byteCount: 100, gate: gate) { reached.open() }
    let answer = FakeDataLoader.Answer.data(gif)
    switch stage {
    case .loading: loader.answer(url, with: answer.held(by: gate))
    case .previewing: loader.answer(url, with: answer.held(by: gate, afterChunks: 1))
    default: loader.answer(url, with: answer)
    }
    @Sendable func configure(_ configuration: inout ImagePipeline.Configuration) {
      if stage == .decoding { configuration.makeImageDecoder = { _ in decoder } }
      if stage == .previewing {
        configuration.isProgressiveDecodingEnabled = true
        configuration.makeImageDecoder = { _ in BlockingPreviews(reached: reached, gate: gate) }
      }
      configuration.dataLoadingQueue.isSuspended = stage == .queued
      configuration.dataCache = FakeDataCache()
      configuration.dataCachePolicy = .storeEncodedImages
      configuration.imageEncodingQueue.isSuspended = stage == .stored
    }
    try await released(.fake(loader: loader) { configure(&$0) }) { pipeline, process in
      let task = pipeline.imageTask(
        with: request { image in
          if stage == .processing {
            reached.open()
            gate.waitBlocking()
          }
          return process(image)
        })
      switch stage {
      case .queued: break
      case .loading: await loader.requests(count: 1)
      case .previewing, .decoding, .processing: await reached.wait()
      case .stored: _ = try await task.image
      }
      task.cancel()
      if stage != .stored {
        await #expect(throws: ImagePipeline.Error.self) { try await task.image }
      }
      gate.open()
      pipeline.configuration.dataLoadingQueue.isSuspended = false
      pipeline.configuration.imageEncodingQueue.isSuspended = false
    }
  }

  private final class BlockingPreviews: ImageDecoding {
    let reached: Gate
    let gate: Gate
    init(reached: Gate, gate: Gate) {
      self.reached = reached
      self.gate = gate
    }

    func decode(_ data: Data) throws -> ImageContainer { try ImageDecoders.Default().decode(data) }

    func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      reached.open()
      gate.waitBlocking()
      return ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    }
  }
}
