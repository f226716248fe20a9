import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Freshness of images in memory", .timeLimit(.minutes(1)))
struct FreshnessInMemoryTests {
  typealias Gate = NukeTesting.Gate
  let origin = VersionedOrigin()
  let memory = FakeImageCache()

  private func pipeline(_ policy: ImagePipeline.FreshnessPolicy = .respect) -> ImagePipeline {
    origin.pipeline(policy, imageCache: memory)
  }

  @Test("A fresh image is returned before the call returns")
  func fresh() async throws {
    let pipeline = pipeline()
    _ = try await pipeline.image(for: origin.request())
    origin.pass(seconds: 59)
    let task = pipeline.imageTask(with: origin.request())
    #expect(try task.status.result?.get().cacheType == .memory)
    #expect(task.facts.freshness == .fresh)
    #expect(origin.asked == [nil])
  }

  @Test("One validation renews all images, without a disk, and nothing is decoded again")
  func renewed() async throws {
    let pipeline = pipeline()
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    let original = try await pipeline.image(for: origin.request())
    for request in [origin.request(a), origin.request(b)] { _ = try await pipeline.image(for: request) }
    let decodes = pipeline.counters.decodes
    origin.pass(seconds: 60)
    let gate = Gate()
    origin.set { $0.gate = gate }
    let task = pipeline.imageTask(with: origin.request())
    #expect(task.status.result == nil)
    gate.open()
    #expect(try await task.response.image === original)
    #expect(try await task.response.cacheType == .memory)
    #expect(task.facts.freshness == .validated)
    #expect(task.facts.origin == .memory)
    for request in [origin.request(a), origin.request(b)] {
      #expect(try pipeline.imageTask(with: request).status.result?.get().freshness == .fresh)
    }
    #expect(origin.asked.filter { $0 != nil } == ["\"1\""])
    #expect(pipeline.counters.decodes == decodes)
    #expect((a.count, b.count) == (1, 1))
  }

  @Test("A new original makes all images stale")
  func replaced() async throws {
    let pipeline = pipeline()
    let blur = FakeProcessor("/blur")
    for request in [origin.request(), origin.request(blur)] { _ = try await pipeline.image(for: request) }
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    #expect(try await pipeline.image(for: origin.request()).pixelWidth == 12)
    #expect(try await pipeline.image(for: origin.request(blur)).pixelWidth == 12)
    #expect(blur.count == 2)
  }

  @Test("The default policy uses images of any age")
  func ignore() async throws {
    _ = try await pipeline().image(for: origin.request())
    origin.pass(seconds: 1_000_000)
    let task = pipeline(.ignore).imageTask(with: origin.request())
    #expect(try task.status.result?.get().freshness == ImageResponse.Freshness?.none)
    #expect(origin.asked == [nil])
  }

  @Test("Images of an unknown version are loaded again")
  func unknown() async throws {
    memory[ImageCacheKey(request: origin.request())] = ImageContainer(image: SampleImage.bitmap(width: 3, height: 3))
    #expect(try await pipeline().image(for: origin.request()).pixelWidth == 11)
    #expect(memory[ImageCacheKey(request: origin.request())]?.image.pixelWidth == 11)
  }

  @Test("Pipelines that share the cache share the freshness")
  func shared() async throws {
    _ = try await pipeline().image(for: origin.request())
    let other = pipeline()
    #expect(try other.imageTask(with: origin.request()).status.result?.get().freshness == .fresh)
    origin.pass(seconds: 60)
    let task = other.imageTask(with: origin.request())
    #expect(try await task.response.freshness == .validated)
    #expect(other.counters.decodes == 0)
    // What one has been told counts for the image that the other has stored.
    #expect(try other.imageTask(with: origin.request()).status.result?.get().freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("The policy revalidate always validates")
  func revalidate() async throws {
    let pipeline = pipeline(.revalidate)
    _ = try await pipeline.image(for: origin.request())
    for _ in 0..<2 {
      let task = pipeline.imageTask(with: origin.request())
      #expect(try await task.response.freshness == .validated)
    }
    #expect(origin.asked == [nil, "\"1\"", "\"1\""])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("Closures and files have no validators and are never validated")
  func closures() async throws {
    let pipeline = pipeline(.revalidate)
    let calls = CallLog()
    let request = ImageRequest(id: "closure") {
      calls.append("called")
      return SampleImage.png(width: 4, height: 4)
    }
    _ = try await pipeline.image(for: request)
    #expect(try pipeline.imageTask(with: request).status.result?.get().cacheType == .memory)
    #expect(calls.entries.count == 1)
  }

  @Test("Originals in memory are used for reduced steps only while they are fresh")
  func reducedOriginal() async throws {
    let pipeline = pipeline()
    _ = try await pipeline.image(for: origin.request())
    let small = ImageRequest(url: origin.url, processors: [.resize(width: 5, unit: .pixels)])
    #expect(try await pipeline.image(for: small).pixelWidth == 5)
    #expect(origin.asked == [nil])
    memory[ImageCacheKey(request: small)] = nil
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    _ = try await pipeline.image(for: small)
    #expect(origin.asked.count == 2)
    #expect(pipeline.counters.decodes == 2)
  }
}
