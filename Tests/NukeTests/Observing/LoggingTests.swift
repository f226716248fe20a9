import Foundation
import InMemoryLogging
import Logging
import Nuke
import NukeTesting
import Testing

@Suite("Pipeline logs", .timeLimit(.minutes(1)))
struct LoggingTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let handler = InMemoryLogHandler()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  private func pipeline(
    _ level: Logger.Level = .debug, imageCache: (any ImageCaching)? = FakeImageCache(),
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: imageCache) {
      var logger = Logger(label: "nuke") { _ in handler }
      logger.logLevel = level
      $0.logger = logger
      configure(&$0)
    }
  }

  private var messages: [String] {
    handler.entries.map { entry in
      (["\(entry.message)"] + [entry.metadata["nuke.stage"].map { "\($0)" }].compactMap { $0 }).joined(separator: ": ")
    }
  }

  @Test("The log contains the start and end of a task, with its stages in between")
  func stages() async throws {
    let pipeline = pipeline { $0.dataCache = FakeDataCache() }
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [FakeProcessor("p")], priority: .high))
    #expect(
      messages == [
        "load started", "stage ended: read", "stage ended: read", "stage ended: load", "stage ended: decode",
        "stage ended: process", "load ended",
      ])
    let (first, last) = try (#require(handler.entries.first), #require(handler.entries.last))
    #expect(first.level == .debug)
    #expect(first.metadata["nuke.request"] == "http://pictures.test/a.png")
    #expect(first.metadata["nuke.priority"] == "high")
    #expect(first.metadata["nuke.task"] == last.metadata["nuke.task"])
    #expect(last.metadata["nuke.origin"] == "network")
    #expect(last.metadata["nuke.duration"] != nil)
  }

  @Test("Image names contain nothing that is secret or long")
  func names() async {
    let pipeline = pipeline()
    let requests = [
      "http://name:word@pictures.test/a.png?token=1#part", "data:image/png;base64,AAAA", "/a.png",
    ].map { ImageRequest(url: URL(string: $0)) }
    var named = requests[0]
    named.imageID = "image 1"
    for request in requests + [named, ImageRequest(url: nil)] { _ = try? await pipeline.image(for: request) }
    let names = handler.entries.filter { $0.message == "load started" }.map { $0.metadata["nuke.request"] }
    #expect(names == ["http://pictures.test/a.png", "data:", "/a.png", "image 1", "no URL"])
  }

  @Test("Failures are logged without a warning, because the program receives the error")
  func failures() async throws {
    let decoder = FakeDecoder { _ in throw CocoaError(.fileReadCorruptFile) }
    _ = try? await pipeline { $0.makeImageDecoder = { _ in decoder } }.image(for: url)
    let failed = handler.entries.filter { $0.metadata["nuke.error"] != nil }
    #expect(failed.map { "\($0.message)" } == ["stage failed", "load failed"])
    #expect(handler.entries.allSatisfy { $0.level == .debug })
  }

  @Test("Memory hits are logged at a lower level")
  func hits() async throws {
    for (level, count) in [(Logger.Level.debug, 0), (.trace, 2)] {
      let pipeline = pipeline(level)
      pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
      _ = try await pipeline.image(for: url)
      _ = try await pipeline.imageTask(with: url).response
      #expect(handler.entries.count == count)
    }
  }

  @Test("A stored image that cannot be decoded is a warning")
  func damaged() async throws {
    let disk = FakeDataCache([url.absoluteString + "p": Data("not an image".utf8)])
    let pipeline = pipeline(.warning) { $0.dataCache = disk }
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [FakeProcessor("p")]))
    #expect(handler.entries.map(\.level) == [.warning])
    #expect(handler.entries.first?.metadata["nuke.request"] == "http://pictures.test/a.png")
  }

  @Test("Images that are too large for the memory cache are one warning, not one each")
  func tooLarge() async throws {
    let pipeline = pipeline(.warning, imageCache: ImageCache(costLimit: 100))
    for _ in 0..<3 { _ = try await pipeline.image(for: url) }
    #expect(handler.entries.map(\.level) == [.warning])
    #expect(handler.entries.first?.metadata["nuke.bytes"] == "800")
  }

  @Test("A disk cache that stores nothing is a warning")
  func failingDisk() async throws {
    let (folder, files) = (DiskFolder(), FaultyFileSystem())
    var options = DiskStore.Options()
    options.files = files
    let cache = try DataCache(path: folder.url, options: options)
    cache.flush()
    files.fault = .failures(step: 1, code: EROFS)
    let pipeline = pipeline(.warning, imageCache: nil) { $0.dataCache = cache }
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))
    cache.flush()
    #expect(handler.entries.isEmpty)
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))
    #expect(handler.entries.map(\.level) == [.warning])
    files.fault = nil
    cache.flush()
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))
    cache.flush()
    #expect(!cache.isFailing)
  }

  @Test("One message of a kind passes per interval, with the number of suppressed ones")
  func throttle() {
    let now = Lock<TimeInterval>(100)
    let throttle = LogThrottle(interval: 60) { now.withLock { $0 } }
    #expect(throttle.pass(1) == 0)
    #expect(throttle.pass(1) == nil)
    #expect(throttle.pass(2) == 0)
    now.withLock { $0 = 159 }
    #expect(throttle.pass(1) == nil)
    now.withLock { $0 = 160 }
    #expect(throttle.pass(1) == 2)
    #expect(throttle.pass(1) == nil)
    now.withLock { $0 = 220 }
    #expect(throttle.pass(1) == 1)
  }
}
