import Foundation
import InMemoryTracing
import Nuke
import NukeTesting
import Testing
import Tracing

@Suite("Pipeline traces", .timeLimit(.minutes(1)))
struct TracingTests {
  let url = imageURL("a.png")
  let png = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()
  let tracer = InMemoryTracer()

  init() { loader.answer(url, with: .data(png)) }

  private func pipeline(
    delegate: (any ImagePipeline.Delegate)? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    ImagePipeline(
      configuration: .fake(loader: loader) {
        $0.tracer = tracer
        configure(&$0)
      }, delegate: delegate)
  }

  private func spans(_ name: String) -> [FinishedInMemorySpan] {
    tracer.finishedSpans.filter { $0.operationName == name }
  }

  @Test("A task has a span in the context it was created in, with a child for each stage")
  func tree() async throws {
    let pipeline = pipeline { $0.dataCache = FakeDataCache() }
    let outer = tracer.startSpan("outer", context: .topLevel)
    let task = ServiceContext.withValue(outer.context) {
      pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor("p")]))
    }
    _ = try await task.response
    let image = try #require(spans("nuke.image").first)
    #expect(image.parentSpanID == outer.spanID)
    #expect(image.attributes.get("nuke.request") == "http://pictures.test/a.png")
    #expect(image.attributes.get("nuke.origin") == "network")
    for name in ["nuke.read", "nuke.load", "nuke.decode", "nuke.process"] {
      #expect(!spans(name).isEmpty, "\(name)")
      #expect(spans(name).allSatisfy { $0.parentSpanID == image.spanID }, "\(name)")
    }
    #expect(spans("nuke.process").first?.attributes.get("nuke.name") == "p")
    #expect(spans("nuke.load").first?.attributes.get("nuke.bytes") == .int64(Int64(png.count)))
    #expect(tracer.activeSpans.count == 1)
  }

  @Test("Shared work belongs to the first task, and the other tasks link to it")
  func links() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(png).held(by: gate))
    let pipeline = pipeline()
    let first = pipeline.imageTask(with: url)
    let same = pipeline.imageTask(with: url)
    let processed = pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor("p")]))
    gate.open()
    for task in [first, same, processed] { _ = try await task.response }
    #expect(spans("nuke.load").count == 1)
    #expect(spans("nuke.decode").count == 1)
    let images = spans("nuke.image")
    let owner = try #require(images.first { $0.links.isEmpty })
    #expect(spans("nuke.load").first?.parentSpanID == owner.spanID)
    let others = images.filter { !$0.links.isEmpty }
    #expect(others.count == 2)
    for other in others {
      #expect(other.links.allSatisfy { $0.context.inMemorySpanContext?.spanID == owner.spanID })
    }
    let process = try #require(spans("nuke.process").first)
    #expect(others.contains { $0.spanID == process.parentSpanID })
  }

  @Test("Failures are recorded, and cancellations are not failures")
  func ends() async throws {
    let decoder = FakeDecoder { _ in throw CocoaError(.fileReadCorruptFile) }
    let pipeline = pipeline { $0.makeImageDecoder = { _ in decoder } }
    _ = try? await pipeline.image(for: url)
    let failed = spans("nuke.image")
    #expect(failed.first?.status?.code == .error)
    #expect(spans("nuke.decode").first?.errors.count == 1)
    let gate = Gate()
    loader.answer(url, with: .data(png).held(by: gate))
    let task = pipeline.imageTask(with: url)
    await loader.requests(count: 2)
    task.cancel()
    let cancelled = try #require(spans("nuke.image").last)
    #expect(cancelled.status == nil)
    #expect(cancelled.attributes.get("nuke.cancelled") == true)
    #expect(tracer.activeSpans.isEmpty)
    gate.open()
  }

  @Test("The span of a download ends with it, even if no worker is free to report it")
  func lateReport() async throws {
    let (completed, png) = (Gate(), png)
    let loader = ClosureLoader { request, chunk, completion in
      DispatchQueue.global().async {
        chunk(png, response(to: request, length: png.count))
        completion(nil)
        completed.open()
      }
      return {}
    }
    let pipeline = ImagePipeline.fake(loader: loader) { $0.tracer = tracer }
    pipeline.unlimitedQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    await completed.wait()
    #expect(spans("nuke.load").isEmpty)
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    pipeline.unlimitedQueue.isSuspended = false
    _ = try await task.response
    let load = try #require(spans("nuke.load").first)
    #expect(load.endInstant.nanosecondsSinceEpoch <= now)
  }

  @Test("The span ends if the delegate cancels the task when it is created")
  func cancelledAsCreated() async throws {
    let pipeline = pipeline(delegate: HookedDelegate { $0.created = { $0.cancel() } })
    _ = try? await pipeline.image(for: url)
    #expect(tracer.activeSpans.isEmpty)
    let image = try #require(spans("nuke.image").first)
    #expect(image.attributes.get("nuke.cancelled") == true)
    #expect(spans("nuke.image").count == 1)
  }

  @Test("The trace continues in closures of requests, in the delegate, and in header fields")
  func contexts() async throws {
    let seen = Lock<[String: ServiceContext]>([:])
    let note: @Sendable (String) -> Void = { name in
      let context = ServiceContext.current
      seen.withLock { $0[name] = context }
    }
    let delegate = HookedDelegate {
      $0.willLoad = { _, request in
        note("delegate")
        return request
      }
    }
    let png = png
    let pipeline = pipeline(delegate: delegate)
    let data = ImageRequest(
      id: "data",
      data: {
        note("data")
        return png
      })
    let image = ImageRequest(
      id: "image",
      image: {
        note("image")
        return ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
      })
    for request in [data, image, ImageRequest(url: url)] { _ = try await pipeline.image(for: request) }
    let loads = Set(spans("nuke.load").map(\.spanID))
    #expect(loads.count == 3)
    let found = seen.withLock { $0.compactMapValues { $0.inMemorySpanContext?.spanID } }
    #expect(found.count == 3)
    #expect(Set(found.values) == loads)
    let header = loader.requests.first?.value(forHTTPHeaderField: InMemoryTracer.spanIDKey)
    #expect(header != nil)
    #expect(header == found["delegate"])
  }

  @Test("A memory hit has no span")
  func hits() async throws {
    let pipeline = pipeline()
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    _ = try await pipeline.image(for: url)
    _ = try await pipeline.imageTask(with: url).response
    #expect(tracer.finishedSpans.isEmpty)
  }

  @Test("With signpost logging, later pipelines use the tracer of the process")
  func bootstrapped() async throws {
    typealias Configuration = ImagePipeline.Configuration
    #expect(!Configuration.isSignpostLoggingEnabled)
    Configuration.isSignpostLoggingEnabled = true
    let (traced, cache) = (ImagePipeline.fake(loader: loader), FakeImageCache())
    Configuration.isSignpostLoggingEnabled = false
    let untraced = ImagePipeline.fake(loader: loader, imageCache: cache)
    // Nobody has bootstrapped a tracer.
    _ = try await traced.image(for: url)
    InstrumentationSystem.bootstrap(tracer)
    _ = try await untraced.image(for: url)
    #expect(cache.writeCount == 1)
    #expect(spans("nuke.image").isEmpty)
    var request = ImageRequest(url: url, options: .reloadIgnoringCachedData)
    request.imageID = "bootstrapped"
    _ = try await traced.image(for: request)
    #expect(spans("nuke.image").map { $0.attributes.get("nuke.request") } == ["bootstrapped"])
  }
}
