import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("Bodies that are written to disk while they arrive", .timeLimit(.minutes(1)))
struct SpoolingTests {
  typealias Answer = @Sendable (NukeOrigin.Request) -> NukeOrigin.Response

  static let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  static let cut = 600_000
  static let path = "/image"
  let folder = DiskFolder()
  let origins = Origins()
  let gate = ScriptGate()

  /// An origin that holds its first answer back where `cut` bytes have come, and gives the rest to whoever asks for it.
  func origin(cut: Int = cut, gate: ScriptGate? = nil, in origins: Origins? = nil) throws -> NukeOrigin {
    let gate = gate ?? self.gate
    return try (origins ?? self.origins).start { request in
      let response = NukeOrigin.Response.ranged(Self.body, etag: "\"a\"", for: request)
      return request.header("Range") == nil ? response.scripted(.head, .bytes(cut), .wait(gate), .rest) : response
    }
  }

  func cache(
    _ folder: DiskFolder? = nil, files: any DiskFileSystem = SystemFileSystem(), limit: Int = 64 << 20
  ) throws -> DataCache {
    try (folder ?? self.folder).cache(files: files) { $0.sizeLimit = limit }
  }

  func pipeline(
    _ cache: DataCache, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: DataLoader(configuration: .init())) {
      $0.dataCache = cache
      configure(&$0)
    }
  }

  /// A load of which `cut` bytes have come, and are where they are to be.
  func load(_ origin: NukeOrigin, cut: Int = cut, on pipeline: ImagePipeline) async -> ImageTask {
    let task = pipeline.startTask(with: ImageRequest(url: origin.url(Self.path)), kind: .data)
    for await value in task.progress where value.completed == cut { break }
    await pipeline.spoolingDone()
    return task
  }

  var parts: [String] { folder.files.filter { $0.hasSuffix(".part") && !$0.contains("/.") } }

  func allocated(_ file: String) throws -> Int {
    var status = stat()
    try #require(stat("\(folder.path)/\(file)", &status) == 0)
    return Int(status.st_blocks) * 512
  }

  @Test("A body is written while it arrives, is not visible, and becomes an entry when it is complete")
  func spools() async throws {
    let (origin, cache) = (try origin(), try cache())
    let pipeline = pipeline(cache)
    let task = await load(origin, on: pipeline)
    let part = try #require(parts.first)
    #expect(try allocated(part) >= 262_144)
    let key = origin.url(Self.path).absoluteString
    #expect(cache.cachedData(for: key) == nil && !cache.containsData(for: key))
    #expect(cache.totalCount == 0 && cache.totalSize == 0 && cache.totalAllocatedSize == folder.entriesAllocated)
    gate.open()
    #expect(try await task.response.container.data == Self.body)
    #expect(cache.cachedData(for: key) == Self.body)
    cache.flush()
    #expect(parts.isEmpty)
    #expect(try Data(contentsOf: #require(cache.url(for: key))) == Self.body)
    #expect(try self.cache().cachedData(for: key) == Self.body)
    #expect(cache.totalCount == 1 && cache.totalAllocatedSize == folder.entriesAllocated)
    #expect(try await pipeline.data(for: ImageRequest(url: origin.url(Self.path))).0 == Self.body)
    #expect(origin.log.requests.count == 1)
  }

  @Test("A later process resumes a canceled body", arguments: [600_000, 100_000, 1000])
  func restart(_ cut: Int) async throws {
    let origin = try origin(cut: cut)
    do {
      let pipeline = pipeline(try cache())
      let task = await load(origin, cut: cut, on: pipeline)
      task.cancel()
      await pipeline.spoolingDone()
      #expect(pipeline.partialBodies.count == 0, "What is on the disk is not in memory too")
      #expect(folder.allocated < cut + 3 * 4096)
    }
    let cache = try cache()
    let pipeline = pipeline(cache)
    #expect(try await pipeline.data(for: ImageRequest(url: origin.url(Self.path))).0 == Self.body)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=\(cut)-"])
    cache.flush()
    await pipeline.spoolingDone()
    #expect(cache.cachedData(for: origin.url(Self.path).absoluteString) == Self.body)
    #expect(folder.entryFiles.count == 2)
  }

  @Test("A later process resumes a body after the first one was killed")
  func kill() async throws {
    let origin = try origin()
    let pipeline = pipeline(try cache())
    let task = await load(origin, on: pipeline)
    // What a process that is killed now leaves.
    let left = DiskFolder()
    try FileManager.default.copyItem(at: folder.url, to: left.url)
    let later = self.pipeline(try cache(left))
    #expect(try await later.data(for: ImageRequest(url: origin.url(Self.path))).0 == Self.body)
    let range = try #require(origin.log.requests[1].header("Range"))
    let count = try #require(Int(range.dropFirst(6).dropLast()))
    #expect(count >= 262_144 && count <= Self.cut)
    task.cancel()
  }

  @Test("The same process resumes a body from memory or from disk")
  func sameProcess() async throws {
    let (origin, cache) = (try origin(), try cache())
    let pipeline = pipeline(cache)
    let task = await load(origin, on: pipeline)
    pipeline.spoolQueue.isSuspended = true
    task.cancel()
    // Nothing of the end has reached the disk.
    #expect(try await pipeline.data(for: ImageRequest(url: origin.url(Self.path))).0 == Self.body)
    pipeline.spoolQueue.isSuspended = false
    await pipeline.spoolingDone()
    cache.flush()
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=\(Self.cut)-"])
    #expect(cache.cachedData(for: origin.url(Self.path).absoluteString) == Self.body)
    #expect(try self.cache().cachedData(for: origin.url(Self.path).absoluteString) == Self.body)
    #expect(parts.isEmpty && pipeline.partialBodies.count == 0)
  }

  @Test("A damaged or changed body starts again", arguments: [true, false])
  func startsOver(_ isDamaged: Bool) async throws {
    let first = try origin()
    do {
      let pipeline = pipeline(try cache())
      await load(first, on: pipeline).cancel()
      await pipeline.spoolingDone()
    }
    let other = Data(Self.body.reversed())
    let second = try origins.start { .ranged(other, etag: "\"b\"", for: $0) }
    if isDamaged {
      let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent(#require(parts.first)))
      try handle.seek(toOffset: 1000)
      try handle.write(contentsOf: Data(repeating: 0, count: 100))
      try handle.close()
      gate.open()
      let cache = try cache()
      let pipeline = pipeline(cache)
      #expect(try await pipeline.data(for: ImageRequest(url: first.url(Self.path))).0 == Self.body)
      #expect(first.log.requests.map { $0.header("Range") } == [nil, nil])
      await pipeline.spoolingDone()
      cache.flush()
    } else {
      let cache = try cache()
      let pipeline = pipeline(cache) { $0.dataLoader = Redirecting(to: second.url(Self.path)) }
      #expect(try await pipeline.data(for: ImageRequest(url: first.url(Self.path))).0 == other)
      #expect(second.log.requests.map { $0.header("Range") } == ["bytes=\(Self.cut)-"])
      await pipeline.spoolingDone()
      cache.flush()
      #expect(try self.cache().cachedData(for: first.url(Self.path).absoluteString) == other)
    }
    #expect(parts.isEmpty)
  }

  /// Asks another server, which says that it is the first.
  struct Redirecting: DataLoading {
    let url: URL
    let loader = DataLoader(configuration: .init())
    init(to url: URL) { self.url = url }

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      var changed = request
      changed.url = url
      return loader.loadData(with: changed, didReceiveData: didReceiveData, completion: completion)
    }
  }

  @Test("If the policy or the request excludes the disk, the body stays in memory", arguments: 0..<3)
  func policies(_ index: Int) async throws {
    let origin = try origin()
    let pipeline = pipeline(try cache()) { if index == 0 { $0.dataCachePolicy = .storeEncodedImages } }
    var request = ImageRequest(url: origin.url(Self.path))
    if index == 1 { request.options = .disableDiskCacheWrites }
    if index == 2 { request.options = .disableDiskCache }
    let task = pipeline.startTask(with: request, kind: .data)
    for await value in task.progress where value.completed == Self.cut { break }
    task.cancel()
    await pipeline.spoolingDone()
    #expect(folder.files.isEmpty)
    #expect(pipeline.partialBodies.byteCount == Self.cut)
    #expect(try await pipeline.data(for: request).0 == Self.body)
    #expect(origin.log.requests[1].header("Range") == "bytes=\(Self.cut)-")
  }

  @Test(
    "If the delegate stores other data or none, the body is dropped", arguments: [nil, Data("mine".utf8)] as [Data?])
  func delegate(_ stored: Data?) async throws {
    let origin = try origin()
    let cache = try cache()
    let delegate = HookedDelegate { $0.willCache = { _, _, _ in stored } }
    let pipeline = ImagePipeline(
      configuration: .fake(loader: DataLoader(configuration: .init())) { $0.dataCache = cache }, delegate: delegate)
    let task = await load(origin, on: pipeline)
    #expect(parts.count == 1)
    gate.open()
    #expect(try await task.response.container.data == Self.body)
    await pipeline.spoolingDone()
    cache.flush()
    #expect(cache.cachedData(for: origin.url(Self.path).absoluteString) == stored)
    #expect(folder.entryFiles.count == (stored == nil ? 0 : 2))
  }

  @Test("Removing all data removes partial bodies, and they do not come back")
  func removal() async throws {
    let (origin, cache) = (try origin(), try cache())
    let pipeline = pipeline(cache)
    let task = await load(origin, on: pipeline)
    cache.removeAll()
    cache.flush()
    #expect(folder.files.isEmpty)
    gate.open()
    _ = try await task.response
    let key = origin.url(Self.path).absoluteString
    // Before it is written.
    #expect(cache.cachedData(for: key) == Self.body)
    cache.removeData(for: key)
    cache.flush()
    #expect(folder.files.isEmpty && cache.cachedData(for: key) == nil)
  }

  @Test("A body that is removed before it is complete leaves nothing behind")
  func removalBeforeWriting() async throws {
    let (origin, cache) = (try origin(), try cache())
    let pipeline = pipeline(cache)
    let task = await load(origin, on: pipeline)
    cache.queue.suspend()
    gate.open()
    _ = try await task.response
    cache.removeData(for: origin.url(Self.path).absoluteString)
    cache.queue.resume()
    cache.flush()
    #expect(folder.files.isEmpty)
  }

  @Test("A load succeeds although the disk fails at any step", arguments: [ENOSPC, EIO])
  func failingDisk(_ code: CInt) async throws {
    for step in 1..<40 {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      let gate = ScriptGate()
      // Stopped after each step, so that its descriptors are closed.
      let origins = Origins()
      let origin = try origin(gate: gate, in: origins)
      let cache = try cache(folder, files: files)
      cache.flush()
      let pipeline = pipeline(cache)
      files.fault = .failures(step: step, code: code)
      let task = await load(origin, on: pipeline)
      gate.open()
      #expect(try await task.response.container.data == Self.body)
      cache.flush()
      await pipeline.spoolingDone()
      let isOver = files.steps < step
      files.fault = nil
      let found = try self.cache(folder).cachedData(for: origin.url(Self.path).absoluteString)
      #expect(found == nil || found == Self.body, "step \(step)")
      if isOver {
        #expect(found == Self.body)
        break
      }
    }
  }

  @Test("A cache that is too small stores no partial body")
  func tooSmall() async throws {
    gate.open()
    let origin = try origin()
    let cache = try cache(limit: 500_000)
    let pipeline = pipeline(cache)
    #expect(try await pipeline.data(for: ImageRequest(url: origin.url(Self.path))).0 == Self.body)
    cache.flush()
    #expect(folder.files.isEmpty)
  }
}

extension ImagePipeline {
  /// Returns when what stands in the queue of the spools now is done.
  func spoolingDone() async { await spoolQueue.reached() }
}
