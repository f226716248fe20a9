import Foundation
import Nuke
import NukeTesting
import Testing

/// What a load reports and stores in each ``LoadState``, compared with ``LoadModel``.
@Suite("Loads by kind, source, policy, options and entries in the caches", .timeLimit(.minutes(1)))
struct FactsTableTests {
  private static let loaded = SampleImage.png(width: 8, height: 2)
  private static let stored = Dictionary(
    uniqueKeysWithValues: CachedEntry.allCases.map { entry in
      let (width, height) = LoadModel.size(entry)
      let image = SampleImage.bitmap(width: width, height: height)
      return (entry, (container: ImageContainer(image: image), data: image.pngData() ?? Data()))
    })

  private let folder: TemporaryFolder
  private let file: URL
  private let dataURL: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("a.png", Self.loaded)
    dataURL = try #require(URL(string: "DATA:image/png;base64,\(Self.loaded.base64EncodedString())"))
  }

  @Test(
    "A load reports its origin, stores its results and calls its source as the rules of caching say",
    arguments: LoadState.Kind.allCases)
  func table(kind: LoadState.Kind) async throws {
    for state in LoadState.all(kind) {
      let (outcome, expected) = (await load(state), LoadModel(state).outcome)
      #expect(outcome == expected, "\(state)")
    }
  }

  private func load(_ state: LoadState) async -> LoadOutcome {
    let (memory, disk) = (state.memory.map { _ in FakeImageCache() }, state.disk.map { _ in FakeDataCache() })
    let loader = FakeDataLoader(delivery: .synchronous) { _ in .data(Self.loaded) }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: memory) {
      $0.dataCache = disk
      $0.dataCachePolicy = state.policy
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
    let processor = FakeProcessor("/blur") { SampleImage.bitmap(width: 7, height: $0.pixelHeight) }
    let closure = CallLog()
    let (key, request) = request(state, processor, closure)
    for entry in (state.memory ?? []).union(state.disk ?? []) {
      let (container, data) = Self.stored[entry]!
      entry.store(container, data, for: request, in: pipeline)
    }
    let (memoryWrites, diskWrites) = (memory?.writeCount ?? 0, disk?.writes.count ?? 0)

    let task = pipeline.startTask(with: request, kind: state.isData ? .data : .image)
    var outcome = LoadOutcome()
    do throws(ImagePipeline.Error) {
      let response = try await task.response
      outcome.result = state.isData ? Self.text(response.container.data ?? Data()) : Self.text(response.image)
      outcome.cacheType = response.cacheType
    } catch {
      if case .dataMissingInCache = error {} else { outcome.result = "\(error)" }
    }
    await pipeline.encodingsDone()
    #expect(pipeline.load == (0, 0), "\(state)")
    outcome.origin = task.facts.origin
    outcome.notCachedInMemory = task.facts.notCachedInMemory
    outcome.notCachedOnDisk = task.facts.notCachedOnDisk
    outcome.sourceCalls = loader.requests.count + closure.entries.count
    outcome.processorCalls = processor.count
    if let memory {
      outcome.memory["original"] = memory[ImageCacheKey(request: request.ofOriginal)].map { Self.text($0.image) }
      if state.isVariant {
        outcome.memory["result"] = memory[ImageCacheKey(request: request)].map { Self.text($0.image) }
      }
      #expect(memory.count == outcome.memory.count, "\(state)")
      outcome.memoryWrites = memory.writeCount - memoryWrites
    }
    if let disk {
      let name = { state.isVariant && $0 == key + Self.suffix(state.kind) ? "result" : $0 == key ? "original" : $0 }
      for (key, data) in disk.contents { outcome.disk[name(key)] = Self.text(data) }
      outcome.diskReads = disk.reads.map(name)
      outcome.diskWrites = disk.writes.dropFirst(diskWrites).map(name)
    }
    return outcome
  }

  /// Returns the request of a state, and the key that its original must have on disk.
  private func request(
    _ state: LoadState, _ processor: FakeProcessor, _ calls: CallLog
  ) -> (key: String, request: ImageRequest) {
    let load: @Sendable () -> Data = {
      calls.append("called")
      return Self.loaded
    }
    let image: @Sendable () -> ImageContainer = {
      calls.append("called")
      return ImageContainer(image: SampleImage.bitmap(width: 8, height: 2))
    }
    var (key, request) =
      switch state.source {
      case .server: ("http://pictures.test/a.png", ImageRequest(url: imageURL("a.png")))
      case .file: (file.absoluteString, ImageRequest(url: file))
      case .dataURL: (dataURL.absoluteString, ImageRequest(url: dataURL))
      case .dataClosure: ("mine", ImageRequest(id: "mine", data: load))
      case .imageClosure: ("mine", ImageRequest(id: "mine", image: image))
      }
    request.options = state.options
    switch state.kind {
    case .original, .data: break
    case .processed, .dataOfProcessed: request.processors = [processor]
    case .thumbnail: request.thumbnail = .init(maxPixelSize: 4)
    }
    return (key, request)
  }

  private static func suffix(_ kind: LoadState.Kind) -> String {
    switch kind {
    case .original, .data: ""
    case .processed, .dataOfProcessed: "/blur"
    case .thumbnail: "com.github/kean/nuke/thumbnail?maxPixelSize=4.0,options=truetruetruetrue"
    }
  }

  private static func text(_ image: PlatformImage) -> String { "\(image.pixelWidth)x\(image.pixelHeight)" }

  private static func text(_ data: Data) -> String {
    if data == loaded { return "loaded" }
    return stored.values.contains { $0.data == data } ? "stored" : String(decoding: data, as: UTF8.self)
  }
}
