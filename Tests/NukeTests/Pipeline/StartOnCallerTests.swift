import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Loads that start on the calling thread", .timeLimit(.minutes(1)))
struct StartOnCallerTests {
  let url = imageURL("a.png")
  let log = CallLog()

  /// Answers at once, on the thread that calls it.
  private func loader() -> ClosureLoader {
    ClosureLoader { [log] request, chunk, completion in
      log.append("load \(place)")
      let data = SampleImage.png(width: 20, height: 10)
      chunk(data, response(to: request, length: data.count))
      completion(nil)
      return {}
    }
  }

  private func pipeline(
    isAsynchronous: Bool, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    let decoder = FakeDecoder(isAsynchronous: isAsynchronous) { [log] _ in
      log.append("decode \(place)")
      return ImageContainer(image: SampleImage.bitmap(width: 3, height: 3))
    }
    return .fake(loader: loader()) {
      $0.makeImageDecoder = { _ in decoder }
      configure(&$0)
    }
  }

  @Test("With startsTasksOnPipelineActor, code on the actor prepares for a load after it has its task")
  @ImagePipelineActor
  func onPipelineActor() async throws {
    let pipeline = pipeline(isAsynchronous: false) { $0.startsTasksOnPipelineActor = true }
    for number in 0..<200 {
      let task = pipeline.imageTask(with: imageURL("\(number)"))
      let canceled = pipeline.imageTask(with: imageURL("canceled \(number)"))
      canceled.cancel()
      log.append("created")
      _ = try await task.image
      do {
        _ = try await canceled.image
        Issue.record("load \(number)")
      } catch ImagePipeline.Error.cancelled {}
    }
    let entries = log.entries
    #expect(entries.count == 600)
    for index in stride(from: 0, to: 600, by: 3) { #expect(entries[index] == "created", "\(index)") }
  }

  @Test("An awaited load starts on the caller's thread, and ends there if loader and decoder are quick")
  func quick() async throws {
    let pipeline = pipeline(isAsynchronous: false)
    for number in 0..<3 { #expect(try await pipeline.image(for: imageURL("\(number)")).pixelWidth == 3) }
    let once = ["load caller", "decode caller"]
    #expect(await log.entries(count: 6) == once + once + once)
  }

  @Test("A slow decoder runs on a worker")
  func slowDecoder() async throws {
    #expect(try await pipeline(isAsynchronous: true).image(for: url).pixelWidth == 3)
    #expect(await log.entries(count: 2) == ["load caller", "decode worker"])
  }

  @Test("A load of data starts on the caller's thread")
  func data() async throws {
    #expect(try await pipeline(isAsynchronous: false).data(for: ImageRequest(url: url)).0.isEmpty == false)
    #expect(await log.entries(count: 1) == ["load caller"])
  }

  @Test("Nothing that may wait for a disk runs on the caller's thread")
  func disk() async throws {
    let cache = HookedDataCache { [log] call in log.append("\(call) \(place)") }
    let pipeline = pipeline(isAsynchronous: false) { $0.dataCache = cache }
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .disableDiskCacheReads))
    #expect(await log.entries(count: 3) == ["load caller", "store worker", "decode worker"])
    _ = try await pipeline.image(for: imageURL("b.png"))
    let second = await log.entries(count: 7).dropFirst(3)
    #expect(second == ["read worker", "load worker", "store worker", "decode worker"])
  }

  @Test("Decoders and processors run on a worker if there are processors")
  func processors() async throws {
    let processor = ImageProcessors.Anonymous(id: "log") { [log] image in
      log.append("process \(place)")
      return image
    }
    _ = try await pipeline(isAsynchronous: false).image(for: ImageRequest(url: url, processors: [processor]))
    #expect(await log.entries(count: 3) == ["load caller", "decode worker", "process worker"])
  }

  @Test("Observers of other tasks are not called on the caller's thread")
  func observers() async throws {
    let gate = Gate()
    // The loader answers the first load from within its call for the second.
    let waiting = Lock<(@Sendable () -> Void)?>(nil)
    let loader = ClosureLoader { [log] request, chunk, completion in
      let data = SampleImage.png(width: 20, height: 10)
      let answer = { @Sendable in
        chunk(data, response(to: request, length: data.count))
        completion(nil)
      }
      let earlier = waiting.withLock { waiting -> (@Sendable () -> Void)? in
        defer { waiting = answer }
        return waiting
      }
      if let earlier {
        log.append("load \(place)")
        earlier()
        answer()
      } else {
        gate.open()
      }
      return {}
    }
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.makeImageDecoder = { _ in FakeDecoder(SampleImage.bitmap(width: 3, height: 3), isAsynchronous: false) }
    }
    pipeline.loadImage(with: ImageRequest(url: url), on: nil) { [log] _ in log.append("completion \(place)") }
    await gate.wait()
    _ = try await pipeline.image(for: imageURL("b.png"))
    #expect(await log.entries(count: 2) == ["load caller", "completion worker"])
  }

  @Test("A load that is not awaited starts on a worker")
  func task() async throws {
    #expect(try await pipeline(isAsynchronous: false).imageTask(with: url).image.pixelWidth == 3)
    #expect(await log.entries(count: 2) == ["load worker", "decode worker"])
  }
}

/// Where the calling code runs.
private var place: String { WorkerPool.isWorker ? "worker" : "caller" }

/// A disk cache that tells of its calls and keeps nothing.
private struct HookedDataCache: DataCaching {
  let hook: @Sendable (String) -> Void

  init(_ hook: @escaping @Sendable (String) -> Void) { self.hook = hook }

  func cachedData(for key: String) -> Data? {
    hook("read")
    return nil
  }
  func containsData(for key: String) -> Bool { false }
  func storeData(_ data: Data, for key: String) { hook("store") }
  func removeData(for key: String) {}
  func removeAll() {}
}
