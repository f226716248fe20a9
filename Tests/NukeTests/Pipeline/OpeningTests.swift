import Foundation
import InMemoryTracing
import Nuke
import NukeCodecs
import NukeTesting
import Testing

extension HoldingWorkers {
  /// Opening of images of which more than a header is read.
  @Suite("Opening images")
  struct OpeningTests {
    private let loader = FakeDataLoader { _ in .data(Data([1])) }
    private let budget = DecodeBudget(limit: 1000)
    private let queue = TaskQueue(maxConcurrentOperationCount: 1)
    private let tracer = InMemoryTracer()

    private func decoder(
      _ opening: Gate = Gate(), byteCount: Int = 300, error: CodecError? = nil
    ) -> ScriptedDecoder {
      ScriptedDecoder(
        byteCount: 100, gate: Gate(isOpen: true), opening: .init(byteCount: byteCount, gate: opening, error: error))
    }

    private func pipeline(
      _ decoder: ScriptedDecoder, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
      ImagePipeline(
        configuration: .fake(loader: loader) {
          $0.makeImageDecoder = { _ in decoder }
          $0.imageDecodingQueue = queue
          configure(&$0)
        }, decodeBudget: budget)
    }

    @Test("A slow opening occupies the one slot of the decoding queue, and its share of the budget")
    func slot() async throws {
      let gate = Gate()
      let decoder = decoder(gate)
      let pipeline = pipeline(decoder)
      let tasks = ["a", "b"].map { pipeline.imageTask(with: imageURL($0)) }
      await gate.arrivals(count: 1)
      try await waitUntil { queue.status.waiting == 1 }
      #expect(gate.arrivalCount == 1)
      #expect(budget.usedByteCount == 600, "one that is opened, and one that waits for the queue")
      gate.open()
      for task in tasks { _ = try await task.image }
      #expect(decoder.log.entries.count { $0 == "done" } == 2)
      #expect(budget.usedByteCount == 0)
    }

    @Test("A canceled opening leaves the queue, or frees its slot when it ends, and nothing is decoded")
    func cancellation() async throws {
      let gate = Gate()
      let decoder = decoder(gate)
      let pipeline = pipeline(decoder)
      let running = pipeline.imageTask(with: imageURL("running"))
      await gate.arrivals(count: 1)
      let waiting = pipeline.imageTask(with: imageURL("waiting"))
      try await waitUntil { queue.status.waiting == 1 }
      waiting.cancel()
      #expect(queue.status.waiting == 0)
      #expect(budget.usedByteCount == 300)
      running.cancel()
      let next = pipeline.imageTask(with: imageURL("next"))
      gate.open()
      _ = try await next.image
      #expect(decoder.log.entries == ["open", "open", "done"])
      #expect(budget.usedByteCount == 0)
    }

    @Test("An opening waits for its share of the budget")
    func budgeted() async throws {
      let gate = Gate()
      let decoder = decoder(gate, byteCount: 800)
      let pipeline = pipeline(decoder) { $0.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: 2) }
      let tasks = ["a", "b"].map { pipeline.imageTask(with: imageURL($0)) }
      await gate.arrivals(count: 1)
      try await waitUntil { budget.waitingCount == 1 }
      gate.open()
      for task in tasks { _ = try await task.image }
      #expect(budget.usedByteCount == 0)
    }

    @Test("All sizes of an original share one opening")
    func shared() async throws {
      let gate = Gate()
      let decoder = decoder(gate)
      let pipeline = pipeline(decoder)
      pipeline.configuration.dataLoadingQueue.isSuspended = true
      let tasks = [2, 4, 8].map { side in
        pipeline.imageTask(
          with: ImageRequest(
            url: imageURL("a"),
            processors: [.resize(size: CGSize(width: side, height: side), unit: .pixels, contentMode: .aspectFit)]))
      }
      pipeline.configuration.dataLoadingQueue.isSuspended = false
      await gate.arrivals(count: 1)
      gate.open()
      var sides: [Int] = []
      for task in tasks { sides.append(try await task.image.pixelWidth) }
      #expect(sides == [2, 4, 8])
      #expect(decoder.log.entries.count { $0 == "open" } == 1)
    }

    @Test("A loader that answers at once does not open images on its caller's thread")
    func thread() async throws {
      let decoder = decoder(Gate(isOpen: true))
      _ = try await pipeline(decoder).image(for: imageURL("a"))
      #expect(decoder.log.entries == ["open", "done"])
    }

    @Test("Its time and its span are those of a stage")
    func measured() async throws {
      let pipeline = pipeline(decoder(Gate(isOpen: true))) { $0.tracer = tracer }
      let task = pipeline.imageTask(with: imageURL("a"))
      _ = try await task.image
      #expect(task.facts.opening > 0)
      #expect(tracer.finishedSpans.count { $0.operationName == "nuke.open" } == 1)
    }

    @Test("What cannot be opened fails the load with the error, the request and the decoder of the load")
    func failure() async throws {
      let error = CodecError.malformed(.svg, reason: "a test", offset: nil)
      let decoder = decoder(Gate(isOpen: true), error: error)
      let request = ImageRequest(url: imageURL("a"), processors: [FakeProcessor("p")])
      let failure = await loadFailure(try await pipeline(decoder).image(for: request))
      guard case .decodingFailed(let failing as ScriptedDecoder, let context, let cause) = failure else {
        throw Unexpected(failure)
      }
      #expect(failing === decoder)
      #expect(context.request.url == request.url)
      #expect(cause as? CodecError == error)
    }

    @Test("A stored image that cannot be opened is discarded, and the image is made again")
    func stored() async throws {
      let decoder = decoder(Gate(isOpen: true), error: .malformed(.svg, reason: "a test", offset: nil))
      let cache = FakeDataCache()
      let pipeline = pipeline(decoder) {
        $0.dataCache = cache
        $0.makeImageDecoder = { context in
          if context.cacheType == .disk { decoder } else { FakeDecoder(SampleImage.bitmap(width: 4, height: 4)) }
        }
      }
      let request = ImageRequest(url: imageURL("a"), processors: [FakeProcessor("p")])
      let key = pipeline.cache.makeDataCacheKey(for: request)
      cache.storeData(Data([1]), for: key)
      #expect(try await pipeline.image(for: request).pixelWidth == 4)
      #expect(decoder.log.entries == ["open"])
      #expect(loader.requests.count == 1)
    }
  }
}
