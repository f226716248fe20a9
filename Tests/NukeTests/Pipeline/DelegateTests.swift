import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Pipeline delegates", .timeLimit(.minutes(1)))
struct DelegateTests {
  private typealias Hooks = HookedDelegate.Hooks

  let url = imageURL("a.png")
  let key = imageURL("a.png").absoluteString
  let original = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()
  let memory = FakeImageCache()
  let disk = FakeDataCache()
  let log = CallLog()

  init() { loader.answer(url, with: .data(original)) }

  private func pipeline(
    _ delegate: any ImagePipeline.Delegate, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    let configuration = ImagePipeline.Configuration.fake(loader: loader, imageCache: memory) {
      $0.dataCache = disk
      $0.dataCachePolicy = .storeAll
      configure(&$0)
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  private func hooked(
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }, _ hooks: (inout Hooks) -> Void
  ) -> ImagePipeline { pipeline(HookedDelegate(hooks), configure) }

  private func blurred(_ options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: url, processors: [FakeProcessor("/blur")], options: options)
  }

  // MARK: Parts

  @Test("The default implementations change nothing")
  func plain() async throws {
    let pipeline = pipeline(PlainDelegate())
    let response = try await pipeline.imageTask(with: blurred()).response
    await pipeline.encodingsDone()
    #expect(response.image.pixelWidth == 20)
    #expect(Set(disk.contents.keys) == [key, key + "/blur"])
    #expect(memory.count == 1)
    #expect(try await pipeline.imageTask(with: blurred()).response.cacheType == .memory)
    #expect(try await pipeline.data(for: ImageRequest(url: url)).0 == original)
    #expect(loader.requests.count == 1)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The delegate chooses the decoder, and knows the origin of the data")
  func decoder() async throws {
    let log = log
    let decoder = FakeDecoder(SampleImage.bitmap(width: 3, height: 3))
    let pipeline = hooked {
      $0.decoder = { context in
        log.append("\(context.data.count) \(String(describing: context.cacheType))")
        return decoder
      }
    }
    #expect(try await pipeline.image(for: url).pixelWidth == 3)
    #expect(try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCache)).pixelWidth == 3)
    #expect(log.entries.count == 2)
    #expect(log.entries.first == "\(original.count) nil")
    #expect(log.entries.last?.hasSuffix("disk)") == true)
  }

  @Test("The delegate can return no decoder")
  func noDecoder() async throws {
    let pipeline = hooked { $0.decoder = { _ in nil } }
    let error = await loadFailure(try await pipeline.image(for: url))
    guard case .decoderNotRegistered(let context) = error else { throw Unexpected(error) }
    #expect(context.data == original)
  }

  @Test("The delegate chooses the encoder, only for encoded images")
  func encoder() async throws {
    let log = log
    let pipeline = hooked {
      $0.encoder = { context in
        log.append("\(context.image.pixelWidth) \(context.request.processors.count)")
        return SizeEncoder()
      }
    }
    _ = try await pipeline.image(for: url)
    await pipeline.encodingsDone()
    #expect(log.entries.isEmpty)
    _ = try await pipeline.image(for: blurred())
    await pipeline.encodingsDone()
    #expect(log.entries == ["20 1"])
    #expect(disk.contents[key + "/blur"] == Data("20x10".utf8))
  }

  @Test("The delegate chooses the loader of each request")
  func dataLoader() async throws {
    let other = FakeDataLoader { _ in .data(SampleImage.png(width: 5, height: 5)) }
    let pipeline = hooked { $0.loader = { [loader] in $0.priority == .high ? other : loader } }
    #expect(try await pipeline.image(for: ImageRequest(url: imageURL("b"), priority: .high)).pixelWidth == 5)
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
    #expect((other.requests.count, loader.requests.count) == (1, 1))
  }

  @Test("The delegate can disable the caches of a request")
  func noCaches() async throws {
    let pipeline = hooked {
      $0.imageCache = { _ in nil }
      $0.dataCache = { _ in nil }
    }
    for _ in 0..<2 { _ = try await pipeline.image(for: blurred()) }
    await pipeline.encodingsDone()
    #expect(loader.requests.count == 2)
    #expect((memory.readCount, memory.writeCount) == (0, 0))
    #expect(disk.reads.isEmpty && disk.writes.isEmpty)
  }

  @Test("The delegate can provide caches for a request")
  func otherCaches() async throws {
    let (otherMemory, otherDisk) = (FakeImageCache(), FakeDataCache())
    let pipeline = hooked {
      $0.imageCache = { _ in otherMemory }
      $0.dataCache = { _ in otherDisk }
    }
    _ = try await pipeline.image(for: url)
    #expect(otherMemory.writeCount == 1)
    #expect(otherDisk.writes == [key])
    #expect(pipeline.cache[url] != nil)
    #expect(pipeline.cache.containsData(for: ImageRequest(url: url)))
    #expect(memory.writeCount == 0 && disk.writes.isEmpty)
  }

  @Test("The delegate determines keys in memory and on disk")
  func cacheKey() async throws {
    let pipeline = hooked {
      $0.cacheKey = { request in "mine" + request.processors.map(\.identifier).joined() }
    }
    _ = try await pipeline.image(for: blurred())
    await pipeline.encodingsDone()
    #expect(Set(disk.contents.keys) == ["mine", "mine/blur"])
    #expect(memory[ImageCacheKey(key: "mine/blur")] != nil)
    #expect(pipeline.cache.makeImageCacheKey(for: blurred()) == ImageCacheKey(key: "mine/blur"))
    #expect(pipeline.cache.makeDataCacheKey(for: blurred()) == "mine/blur")
    // Another URL with the same name is the same image.
    let other = ImageRequest(url: imageURL("elsewhere"), processors: [FakeProcessor("/blur")])
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .memory)
    memory.removeAll()
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .disk)
    #expect(loader.requests.count == 1)
  }

  @Test("Without a key from the delegate, the URL and the processors are used")
  func noCacheKey() async throws {
    let pipeline = hooked { $0.cacheKey = { _ in nil } }
    #expect(pipeline.cache.makeDataCacheKey(for: blurred()) == key + "/blur")
    #expect(pipeline.cache.makeImageCacheKey(for: blurred()) == ImageCacheKey(request: blurred()))
  }

  // MARK: Before data is loaded

  @Test("The delegate can replace the request")
  func willLoadData() async throws {
    let pipeline = pipeline(HookedDelegate(setting: "token", for: "Authorization"))
    _ = try await pipeline.image(for: url)
    #expect(loader.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["token"])
    #expect(disk.writes == [key])
  }

  @Test("An error of the delegate fails the load, and the next load gets its slot")
  func willLoadDataThrows() async throws {
    struct NoToken: Error {}
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) { [url] in
      $0.willLoad = { request, urlRequest in
        if request.url != url { throw NoToken() }
        return urlRequest
      }
    }
    for _ in 0..<3 {
      let error = await loadFailure(try await pipeline.image(for: imageURL("secret")))
      guard case .dataLoadingFailed(let reason) = error else { throw Unexpected(error) }
      #expect(reason is NoToken)
    }
    #expect(loader.requests.isEmpty)
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The delegate is not asked for closures, local sources and cached data")
  func willLoadDataElsewhere() async throws {
    let log = log
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    try original.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    disk.storeData(original, for: key)
    let pipeline = hooked {
      $0.willLoad = { _, urlRequest in
        log.append("asked")
        return urlRequest
      }
    }
    let original = original
    for request in [
      ImageRequest(id: "a", data: { original }),
      ImageRequest(id: "b", image: { ImageContainer(image: SampleImage.bitmap(width: 1, height: 1)) }),
      ImageRequest(url: file),
      ImageRequest(url: URL(string: "data:image/png;base64,\(original.base64EncodedString())")),
      ImageRequest(url: url),
    ] {
      _ = try await pipeline.image(for: request)
    }
    #expect(log.entries.isEmpty)
    #expect(loader.requests.isEmpty)
  }

  @Test("A cancellation reaches the delegate while it works, and nothing is sent")
  func cancelledInWillLoadData() async throws {
    let (gate, log, url) = (Gate(), log, url)
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.willLoad = { request, urlRequest in
        guard request.url == url else { return urlRequest }
        await gate.wait()
        log.append(Task.isCancelled ? "cancelled" : "not cancelled")
        return urlRequest
      }
    }
    let task = pipeline.imageTask(with: url)
    await gate.arrivals(count: 1)
    task.cancel()
    #expect(task.isCancelled)
    #expect(pipeline.load == (0, 0))
    #expect(await log.entries(count: 1) == ["cancelled"])
    let next = imageURL("next")
    loader.answer(next, with: .data(original))
    // One at a time: the place is free again.
    _ = try await pipeline.image(for: next)
    #expect(loader.requests.map(\.url) == [next])
  }

  /// A task that a delegate cancels, once.
  private final class Victim: Sendable {
    private let task = Lock<ImageTask?>(nil)

    func set(_ task: ImageTask) { self.task.withLock { $0 = task } }
    func cancel() { task.withLock { $0.take() }?.cancel() }
  }

  /// Hooks that cancel a task while the delegate returns the loader of the transfer.
  ///
  /// The delegate is asked for the loader before that too: for its HTTP cache, and for its limit of each host. So the
  /// call that counts is the one after the request was prepared.
  private func cancelInDataLoader(_ victim: Victim, once gate: Gate, _ hooks: inout Hooks) {
    let (log, loader, url) = (log, loader, url)
    hooks.willLoad = { request, urlRequest in
      guard request.url == url else { return urlRequest }
      await gate.wait()
      log.append("prepared")
      return urlRequest
    }
    hooks.loader = { _ in
      guard log.entries == ["prepared"] else { return loader }
      log.append("canceled")
      victim.cancel()
      return PassingLoader(loader, log)
    }
  }

  @Test(
    "A load that is canceled while the delegate returns its loader does not call that loader, and returns its slot",
    arguments: [[], .skipDataLoadingQueue] as [ImageRequest.Options])
  func cancelledInDataLoader(options: ImageRequest.Options) async throws {
    let (gate, victim, next) = (Gate(), Victim(), imageURL("next"))
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      cancelInDataLoader(victim, once: gate, &$0)
    }
    let task = pipeline.imageTask(with: ImageRequest(url: url, options: options))
    victim.set(task)
    gate.open()
    // The pipeline releases the loader when it has decided whether to call it.
    #expect(await log.entries(count: 3) == ["prepared", "canceled", "released"])
    let error = await loadFailure(try await task.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(pipeline.load == (0, 0))
    #expect(pipeline.configuration.dataLoadingQueue.status.running == 0)
    loader.answer(next, with: .data(original))
    // One at a time: the slot is free again.
    _ = try await pipeline.image(for: next)
    #expect(loader.requests.map(\.url) == [next])
  }

  @Test("If another task needs the load that is canceled while the delegate returns its loader, the loader is called")
  func cancelledInDataLoaderOfTwo() async throws {
    let (gate, victim) = (Gate(), Victim())
    let pipeline = hooked { cancelInDataLoader(victim, once: gate, &$0) }
    let (first, second) = (pipeline.imageTask(with: url), pipeline.imageTask(with: url))
    victim.set(first)
    gate.open()
    #expect(try await second.image.pixelWidth == 20)
    let error = await loadFailure(try await first.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(log.entries.prefix(3) == ["prepared", "canceled", "called"])
    #expect(loader.requests.map(\.url) == [url])
    #expect(loader.cancelledRequests.isEmpty)
    #expect(pipeline.configuration.dataLoadingQueue.status.running == 0)
    #expect(pipeline.load == (0, 0))
  }

  /// A loader that passes calls on, and logs them and its release.
  private final class PassingLoader: DataLoading {
    private let loader: FakeDataLoader
    private let log: CallLog

    init(_ loader: FakeDataLoader, _ log: CallLog) {
      self.loader = loader
      self.log = log
    }

    deinit { log.append("released") }

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      log.append("called")
      return loader.loadData(with: request, didReceiveData: didReceiveData, completion: completion)
    }
  }

  @Test("The delegate does not prevent the cancellation of a download")
  func cancelledDownload() async {
    let gate = Gate()
    let loader = FakeDataLoader { _ in .data(Data([1])).held(by: gate) }
    let pipeline = ImagePipeline(configuration: .fake(loader: loader), delegate: PlainDelegate())
    for count in 1...500 {
      let task = pipeline.imageTask(with: url)
      await loader.requests(count: count)
      task.cancel()
      await loader.cancelledRequests(count: count)
    }
    #expect(loader.cancelledRequests.count == 500)
    #expect(pipeline.load == (0, 0))
  }

  // MARK: Storing

  @Test("The delegate can change the data that is stored on disk")
  func willCache() async throws {
    let log = log
    let pipeline = hooked({ $0.makeImageEncoder = { _ in SizeEncoder() } }) {
      $0.willCache = { data, image, request in
        log.append("\(data.count) \(image?.image.pixelWidth ?? 0) \(request.processors.count)")
        return Data("changed".utf8)
      }
    }
    _ = try await pipeline.image(for: blurred())
    await pipeline.encodingsDone()
    #expect(log.entries == ["\(original.count) 0 1", "5 20 1"])
    #expect(disk.contents == [key: Data("changed".utf8), key + "/blur": Data("changed".utf8)])
  }

  @Test("Returning nil stores nothing")
  func willCacheNil() async throws {
    let pipeline = hooked { $0.willCache = { _, _, _ in nil } }
    _ = try await pipeline.image(for: blurred())
    await pipeline.encodingsDone()
    #expect(disk.writes.isEmpty)
    #expect(memory.count == 1)
  }

  // MARK: Decompression

  @Test("decompress is called once for all tasks that share an image")
  func decompress() async throws {
    let log = log
    let small = SampleImage.bitmap(width: 1, height: 1)
    let pipeline = hooked({ $0.dataCachePolicy = .storeEncodedImages }) {
      $0.decompress = { response in
        log.append("decompress \(response.image.pixelWidth)")
        var response = response
        response.container.image = small
        return response
      }
      $0.encoder = { _ in SizeEncoder() }
    }
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: blurred()) }
    for task in tasks { #expect(try await task.image === small) }
    #expect(pipeline.cache[blurred()]?.image === small)
    await pipeline.encodingsDone()
    #expect(disk.contents[key + "/blur"] == Data("1x1".utf8))
    _ = try await pipeline.image(for: blurred())
    #expect(log.entries == ["decompress 20"], "neither for the steps on the way nor for what is in memory")
  }

  @Test("The delegate decides which images are decompressed")
  func shouldDecompress() async throws {
    let log = log
    let pipeline = hooked {
      $0.shouldDecompress = { _, request in request.priority == .high }
      $0.decompress = { response in
        log.append(response.request.url?.lastPathComponent ?? "")
        return response
      }
    }
    for (name, priority) in [("low", ImageRequest.Priority.low), ("high", .high)] {
      loader.answer(imageURL(name), with: .data(original))
      _ = try await pipeline.image(for: ImageRequest(url: imageURL(name), priority: priority))
    }
    #expect(log.entries == ["high"])
  }

  @Test("decompress is also called for images from disk")
  func decompressFromDisk() async throws {
    let log = log
    disk.storeData(original, for: key + "/blur")
    let pipeline = hooked {
      $0.decompress = { response in
        log.append("\(String(describing: response.cacheType))")
        return response
      }
    }
    #expect(try await pipeline.imageTask(with: blurred()).response.cacheType == .disk)
    #expect(log.entries.count == 1)
    #expect(log.entries.first?.hasSuffix("disk)") == true)
  }

  @Test("decompress is not called if decompression is disabled, for a request or for all", arguments: [true, false])
  func noDecompression(isOfRequest: Bool) async throws {
    let log = log
    let pipeline = hooked({ $0.isDecompressionEnabled = isOfRequest }) {
      $0.decompress = { response in
        log.append("called")
        return response
      }
    }
    _ = try await pipeline.image(for: blurred(isOfRequest ? .skipDecompression : []))
    #expect(log.entries.isEmpty)
  }

  @Test("A canceled load is not decompressed")
  func cancelledDecompression() async throws {
    let log = log
    let pipeline = hooked({ $0.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.shouldDecompress = { _, request in
        log.append("asked \(request.url?.lastPathComponent ?? "")")
        return true
      }
      $0.decompress = { response in
        log.append("decompress \(response.request.url?.lastPathComponent ?? "")")
        return response
      }
    }
    pipeline.configuration.imageDecompressingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    await log.entries(count: 1)
    task.cancel()
    pipeline.configuration.imageDecompressingQueue.isSuspended = false
    loader.answer(imageURL("b"), with: .data(original))
    _ = try await pipeline.image(for: imageURL("b"))
    #expect(log.entries == ["asked a.png", "asked b", "decompress b"])
    #expect(pipeline.load == (0, 0))
    #expect(pipeline.cache[url] == nil)
  }

  @Test("The highest priority is decompressed first, also if it changes")
  func urgentDecompression() async throws {
    let log = log
    let pipeline = hooked({ $0.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      $0.shouldDecompress = { _, _ in true }
      $0.decompress = { response in
        log.append(response.request.url?.lastPathComponent ?? "")
        return response
      }
    }
    let queue = pipeline.configuration.imageDecompressingQueue
    queue.isSuspended = true
    let names = ["a", "b", "c"]
    for name in names { loader.answer(imageURL(name), with: .data(original)) }
    let tasks = names.map { pipeline.imageTask(with: ImageRequest(url: imageURL($0), priority: .low)) }
    try await waitUntil { queue.status.waiting >= 3 }
    tasks[2].priority = .high
    tasks[1].priority = .normal
    queue.isSuspended = false
    for task in tasks { _ = try await task.image }
    #expect(log.entries == ["c", "b", "a"])
  }

  // MARK: Tasks

  /// Logs what a delegate is told of tasks, by the order in which they were created.
  private func follow(_ hooks: inout Hooks) {
    let (log, ids) = (log, CallLog())
    let number = { @Sendable (task: ImageTask) in ids.entries.firstIndex(of: "\(task.taskId)")! + 1 }
    hooks.created = {
      ids.append("\($0.taskId)")
      log.append("created \(number($0))")
    }
    hooks.started = { log.append("started \(number($0))") }
    hooks.event = { task, event in
      switch event {
      case .progress(let progress): log.append("\(progress.completed) \(number(task))")
      case .preview: log.append("preview \(number(task))")
      case .finished(.success): log.append("finished \(number(task))")
      case .finished(.failure(let error)): log.append("\(error) \(number(task))")
      }
    }
  }

  @Test("The delegate receives all events of a task, also of a memory hit")
  func taskEvents() async throws {
    loader.answer(url, with: .data(original, chunkSize: original.count - 10))
    let pipeline = hooked { follow(&$0) }
    _ = try await pipeline.imageTask(with: url).image
    let all = ["created 1", "started 1", "\(original.count - 10) 1", "\(original.count) 1", "finished 1"]
    #expect(await log.entries(count: 5) == all)
    _ = try await pipeline.image(for: url)
    #expect(log.entries.dropFirst(5) == ["created 2", "started 2", "finished 2"])
    _ = try await pipeline.data(for: ImageRequest(url: url))
    #expect(await log.entries(count: 11).suffix(3) == ["created 3", "started 3", "finished 3"])
  }

  @Test("The delegate receives the end of a failed or canceled task, once")
  func taskFailures() async throws {
    let gate = Gate()
    let held = imageURL("held")
    loader.answer(held, with: .data(original).held(by: gate))
    let pipeline = hooked { follow(&$0) }
    _ = pipeline.imageTask(with: ImageRequest(url: nil))
    #expect(log.entries == ["created 1", "started 1", "Failed to load the image data: \(URLError(.badURL)). 1"])
    let task = pipeline.imageTask(with: held)
    await loader.requests(count: 1)
    task.cancel()
    task.cancel()
    #expect(log.entries.suffix(3) == ["created 2", "started 2", "The image task was canceled. 2"])
    pipeline.invalidate()
    _ = pipeline.imageTask(with: url)
    #expect(
      log.entries.dropFirst(6) == [
        "created 3", "started 3", "The image pipeline has been invalidated and loads no more images. 3",
      ])
  }

  @Test("If the delegate cancels a task before it starts, nothing is loaded", arguments: [true, false])
  func cancelledAtTheStart(whenCreated: Bool) async throws {
    let pipeline = hooked {
      if whenCreated { $0.created = { $0.cancel() } } else { $0.started = { $0.cancel() } }
    }
    let task = pipeline.imageTask(with: url)
    #expect(task.isCancelled)
    let error = await loadFailure(try await task.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(pipeline.load == (0, 0))
    #expect(loader.requests.isEmpty)
  }
}
