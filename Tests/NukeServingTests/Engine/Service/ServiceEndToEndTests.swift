import Foundation
import Nuke
import NukeCodecs
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: from a source to a file", .timeLimit(.minutes(1)))
struct ServiceEndToEndTests {
  private let origins = Origins()

  @Test("A JPEG becomes a WebP with 320 pixels, which a second service finds on disk")
  func jpegToWebP() async throws {
    let folder = try TemporaryFolder()
    let original = SampleImage.jpeg(width: 1200, height: 800)
    let origin = try origins.start { _ in
      var response = NukeOrigin.Response.data(original)
      response.headers += [
        (name: "Cache-Control", value: "max-age=600"), (name: "Last-Modified", value: "Tue, 14 Nov 2000 22:14:20 GMT"),
      ]
      return response
    }
    var request = RenditionRequest(source: origin.url("/a.jpg"), format: .webp)
    request.options.width = 320

    let store = try DataCache(path: folder.url)
    let service = service(store)
    let made = try await service.rendition(for: request)
    #expect(made.contentType == "image/webp")
    #expect(made.origin == .made)
    #expect(ImageFormat(sniffing: made.data) == .webp)
    let image = try #require(PlatformImage(data: made.data))
    #expect(image.pixelWidth == 320 && image.pixelHeight == 213)
    #expect(made.lastModified == 974_240_060)
    let lifetime = try #require(made.freshUntil) - Int(Date().timeIntervalSince1970)
    #expect((500...600).contains(lifetime))

    await service.shutdown(gracePeriod: 60)
    store.flush()
    let other = self.service(try DataCache(path: folder.url))
    let found = try await other.rendition(for: request)
    #expect(found.origin == .store)
    #expect(found.data == made.data && found.entityTag == made.entityTag)
    #expect(origin.log.requests.count == 1)
  }

  @Test("A 304 from the source renews its renditions, with and without an HTTP cache", arguments: [true, false])
  func notModified(hasCache: Bool) async throws {
    let folder = try TemporaryFolder()
    let original = SampleImage.png(width: 40, height: 20)
    let origin = try origins.start { request in
      let isKnown = request.header("If-None-Match") == "\"v1\""
      var response: NukeOrigin.Response = isKnown ? .status(304) : .data(original)
      response.headers += [(name: "ETag", value: "\"v1\""), (name: "Cache-Control", value: "no-cache")]
      return response
    }
    var loading = DataLoader.defaultConfiguration
    loading.urlCache = hasCache ? try HTTPCache(path: folder.url, diskCapacity: 1 << 20) : nil
    let loader = SourceLoader(["http": DataLoader(configuration: loading)])
    let service = RenditionService(
      pipeline: ImagePipeline(
        configuration: {
          var configuration = ImagePipeline.Configuration.server
          configuration.dataLoader = loader
          return configuration
        }()))
    let request = RenditionRequest(source: origin.url("/a.png"), format: .webp)
    let made = try await service.rendition(for: request)
    for _ in 0..<2 {
      let renewed = try await service.rendition(for: request)
      #expect(renewed.origin == .store && renewed.data == made.data)
    }
    #expect(origin.log.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\"", "\"v1\""])
    #expect(service.statistics.sourcesUnchanged == 2)
    #expect(service.statistics.renditions == 1)
  }

  @Test("An unchanged file is not read again, and a changed one is")
  func localFile() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.png", SampleImage.png(width: 40, height: 20))
    var configuration = ServiceConfiguration()
    configuration.timeToLive = 0
    configuration.staleWhileRevalidate = 0
    let service = RenditionService(
      pipeline: ImagePipeline(
        configuration: {
          var configuration = ImagePipeline.Configuration.server
          configuration.dataLoader = SourceLoader(["local": LocalSource(root: folder.url)])
          return configuration
        }()), configuration: configuration)
    let request = RenditionRequest(source: try #require(URL(string: "local:///a.png")), format: .png)
    let made = try await service.rendition(for: request)
    #expect(try await service.rendition(for: request).data == made.data)
    #expect(service.statistics.sourcesUnchanged == 1 && service.statistics.sources == 1)
    try SampleImage.png(width: 41, height: 20).write(to: file)
    #expect(try await service.rendition(for: request).data != made.data)
    #expect(service.statistics.renditions == 2)
  }

  @Test("A request that joins work for a file that has changed since it was read gets the new version")
  func changedBeforeJoining() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.txt", Data("A".utf8))
    let (gate, clock) = (Gate(), FakeClock())
    let service = RenditionService(
      pipeline: .fake(loader: LocalSource(root: folder.url), imageCache: nil), renderer: FakeRenderer(gate: gate),
      clock: clock.clock, pressure: MemoryPressure { _ in })
    let request = ServiceFixture.request(try #require(URL(string: "local:///a.txt")))
    let first = Task { try await service.rendition(for: request) }
    await gate.arrivals(count: 1)
    try Data("BB".utf8).write(to: file)
    let second = Task { try await service.rendition(for: request) }
    try await waitUntil { service.statistics.requests == 2 }
    gate.open()
    #expect(try await first.value.text == "w:100 of A")
    #expect(try await second.value.text == "w:100 of BB")
  }

  @Test(
    "A request that joins work for a file shares its failure only if the file has not changed",
    arguments: [false, true])
  func failureBeforeJoining(hasChanged: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.txt", Data("A".utf8))
    let (gate, clock) = (Gate(), FakeClock())
    let failure = ServingError.notAnImage("it is damaged")
    let renderer = FakeRenderer(gate: gate, failure: failure, fails: { $0 == "A" })
    let service = RenditionService(
      pipeline: .fake(loader: LocalSource(root: folder.url), imageCache: nil), renderer: renderer, clock: clock.clock,
      pressure: MemoryPressure { _ in })
    let request = ServiceFixture.request(try #require(URL(string: "local:///a.txt")))
    let first = Task { try await service.rendition(for: request) }
    await gate.arrivals(count: 1)
    if hasChanged { try Data("BB".utf8).write(to: file) }
    let second = Task { try await service.rendition(for: request) }
    try await waitUntil { service.statistics.requests == 2 }
    gate.open()
    await #expect(throws: failure) { try await first.value }
    if hasChanged {
      #expect(try await second.value.text == "w:100 of BB")
    } else {
      await #expect(throws: failure) { try await second.value }
    }
    #expect(renderer.renders == (hasChanged ? 2 : 1))
  }

  @Test("A source that is not an image, or does not exist, is an error")
  func failures() async throws {
    let origin = try origins.start { $0.path == "/text" ? .data(Data("not an image".utf8)) : .status(404) }
    let service = service(nil)
    for (path, status) in [("/text", 422), ("/none", 404)] {
      let error = await #expect(throws: ServingError.self) {
        try await service.rendition(for: RenditionRequest(source: origin.url(path)))
      }
      #expect(error?.status == status)
    }
  }

  private func service(_ store: DataCache?) -> RenditionService {
    let pipeline = ImagePipeline(configuration: .server)
    return RenditionService(pipeline: pipeline, stores: store.map { [$0] } ?? [])
  }
}
