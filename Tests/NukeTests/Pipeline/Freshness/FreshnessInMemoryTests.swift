import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Freshness of images in memory", .timeLimit(.minutes(1)))
struct FreshnessInMemoryTests {
  let origin = VersionedOrigin()
  let memory = FakeImageCache()

  private func pipeline(_ policy: ImagePipeline.FreshnessPolicy = .respect) -> ImagePipeline {
    origin.pipeline(policy, imageCache: memory)
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
