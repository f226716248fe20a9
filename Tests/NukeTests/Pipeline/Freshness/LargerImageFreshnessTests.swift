import Foundation
import Nuke
import NukeTesting
import Testing

/// The original has 11x10 pixels in its first version, and 12x10 in its second.
@Suite("Freshness of images made from larger ones", .timeLimit(.minutes(1)))
struct LargerImageFreshnessTests {
  let origin = VersionedOrigin()
  let folder = DiskFolder()
  let cache: DataCache

  init() throws { cache = try DataCache(path: folder.url) }

  private func pipeline(
    cache: (any DataCaching)? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    origin.pipeline(cache: cache ?? self.cache, storing: .storeEncodedImages) {
      $0.makeImageEncoder = { _ in ImageEncoders.ImageIO(type: .png) }
      $0.isReusingLargerImagesInDataCache = true
      configure(&$0)
    }
  }

  private func load(
    width: CGFloat, options: ImageRequest.Options = [], on pipeline: ImagePipeline
  ) async throws -> ImageTask {
    let request = ImageRequest(
      url: origin.url, processors: [.resize(width: width, unit: .pixels)], options: options)
    return try await pipeline.loadAndStore(request)
  }

  @Test("A fresh larger image is used, and nothing is sent", arguments: [true, false])
  func fresh(isFlushed: Bool) async throws {
    _ = try await load(width: 8, on: pipeline())
    if isFlushed { cache.flush() }
    origin.pass(seconds: 59)
    let task = try await load(width: 4, on: pipeline())
    #expect(task.facts.isMadeFromLargerImage)
    #expect(task.facts.freshness == .fresh)
    #expect(try await task.response.freshness == .fresh)
    #expect(origin.asked == [nil])
  }

  @Test("A stale larger image is validated, and used if it has not changed")
  func validated() async throws {
    _ = try await load(width: 8, on: pipeline())
    origin.pass(seconds: 60)
    let task = try await load(width: 4, on: pipeline())
    #expect(task.facts.isMadeFromLargerImage)
    #expect(task.facts.freshness == .validated)
    #expect(task.facts.origin == .disk)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("A stale larger image is not used if the original has changed")
  func changed() async throws {
    _ = try await load(width: 8, on: pipeline())
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    let task = try await load(width: 4, on: pipeline())
    #expect(!task.facts.isMadeFromLargerImage)
    #expect(task.facts.origin == .network)
    #expect(try await task.image.pixelHeight == 3)
    #expect(origin.asked == [nil, "\"1\""])
    // It is stored, since it was made from the original.
    let next = try await load(width: 4, on: pipeline())
    #expect(next.facts.origin == .disk && !next.facts.isMadeFromLargerImage)
  }

  @Test("An outdated larger image is not used")
  func outdated() async throws {
    _ = try await load(width: 8, on: pipeline())
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    // The record of the second version, without another size in the list.
    let other = pipeline()
    try await other.loadAndStore(origin.request(FakeProcessor("/a")))
    #expect(origin.asked == [nil, nil])
    let task = try await load(width: 4, on: pipeline())
    #expect(!task.facts.isMadeFromLargerImage)
    #expect(try await task.image.pixelHeight == 3)
    #expect(origin.asked == [nil, nil, nil])
  }

  @Test("A stale larger image is shown while it is validated, if the request allows it", arguments: [1, 2])
  func shown(version: Int) async throws {
    _ = try await load(width: 8, on: pipeline())
    origin.pass(seconds: 60)
    origin.set { $0.version = version }
    let request = ImageRequest(
      url: origin.url, processors: [.resize(width: 4, unit: .pixels)], options: .staleWhileRevalidate)
    let pipeline = pipeline()
    let task = pipeline.imageTask(with: request)
    var previews: [[Int]] = []
    for await preview in task.previews {
      previews.append([preview.image.pixelWidth, preview.image.pixelHeight])
      #expect(preview.freshness == .stale(.whileRevalidating))
    }
    #expect(previews == [[4, 4]])
    #expect(try await task.image.pixelHeight == (version == 1 ? 4 : 3))
    #expect(task.facts.isMadeFromLargerImage == (version == 1))
    #expect(task.facts.freshness == (version == 1 ? .validated : .fresh))
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("Offline, a larger image of any age is used")
  func offline() async throws {
    _ = try await load(width: 8, on: pipeline())
    origin.pass(seconds: 1_000_000)
    let task = try await load(width: 4, options: .returnCacheDataDontLoad, on: pipeline())
    #expect(task.facts.isMadeFromLargerImage)
    #expect(task.facts.freshness == .stale(.offline))
    #expect(origin.asked == [nil])
  }

  @Test("In memory, the image has the version of the larger one")
  func memory() async throws {
    _ = try await load(width: 8, on: pipeline())
    let pipeline = pipeline { $0.imageCache = FakeImageCache() }
    _ = try await load(width: 4, on: pipeline)
    origin.pass(seconds: 60)
    let validated = try await load(width: 4, on: pipeline)
    #expect(validated.facts.origin == .memory && validated.facts.freshness == .validated)
    #expect(validated.facts.isMadeFromLargerImage)
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    let changed = try await load(width: 4, on: pipeline)
    #expect(changed.facts.origin == .network && !changed.facts.isMadeFromLargerImage)
    #expect(origin.asked == [nil, "\"1\"", "\"1\""])
  }

  @Test("A custom cache, which stores no freshness, serves requests that need none")
  func customCache() async throws {
    let cache = FakeDataCache()
    _ = try await load(width: 8, on: pipeline(cache: cache))
    _ = try await load(width: 4, on: pipeline(cache: cache))
    #expect(origin.asked == [nil, nil])
    cache.removeData(for: origin.url.absoluteString + ImageProcessors.Resize(width: 4, unit: .pixels).identifier)
    let ignoring = pipeline(cache: cache) { $0.freshnessPolicy = .ignore }
    #expect(try await load(width: 4, on: ignoring).facts.isMadeFromLargerImage)
    let offline = try await load(width: 4, options: .returnCacheDataDontLoad, on: pipeline(cache: cache))
    #expect(offline.facts.isMadeFromLargerImage)
    #expect(origin.asked == [nil, nil])
  }
}
