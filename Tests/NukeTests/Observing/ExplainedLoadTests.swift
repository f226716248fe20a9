import Foundation
import Nuke
import NukeTesting
import Testing

/// What is explained, compared with what a load then does.
@Suite("Explanations compared with loads", .timeLimit(.minutes(1)))
struct ExplainedLoadTests {
  static let options: [ImageRequest.Options] = [
    [], .disableMemoryCacheReads, .disableMemoryCacheWrites, .disableDiskCacheReads, .disableDiskCacheWrites,
    .reloadIgnoringCachedData, .returnCacheDataDontLoad, .skipDataLoadingQueue,
  ]

  private static let jpeg = SampleImage.jpeg(width: 64, height: 48)
  private static let container = ImageContainer(image: SampleImage.bitmap(width: 64, height: 48), type: .jpeg)

  private static func requests(_ options: ImageRequest.Options) -> [ImageRequest] {
    let url = imageURL("a.jpg")
    let resize: any ImageProcessing = .resize(width: 16, unit: .pixels)
    var thumbnail = ImageRequest(url: url, processors: [FakeProcessor("a")], options: options)
    thumbnail.thumbnail = .init(maxPixelSize: 16)
    return [
      ImageRequest(url: url, options: options),
      ImageRequest(url: url, processors: [FakeProcessor("a"), FakeProcessor("b")], options: options),
      ImageRequest(url: url, processors: [resize, FakeProcessor("b")], options: options),
      thumbnail,
      ImageRequest(id: "data", data: { jpeg }, processors: [resize], options: options),
      ImageRequest(
        id: "image", image: { ImageContainer(image: SampleImage.bitmap(width: 8, height: 8)) },
        processors: [resize], options: options),
      ImageRequest(
        url: URL(string: "data:image/jpeg;base64,\(jpeg.base64EncodedString())"), processors: [FakeProcessor("a")],
        options: options),
    ]
  }

  @Test(
    "The explanation matches where the load then finds its image, its work and what is stored",
    arguments: [nil] + CachedEntry.allCases)
  func agrees(entry: CachedEntry?) async throws {
    for policy in LoadState.policies {
      for options in Self.options {
        for request in Self.requests(options) {
          try await compare(request, policy, entry)
        }
      }
    }
  }

  private func compare(
    _ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy, _ entry: CachedEntry?
  ) async throws {
    let (memory, disk) = (FakeImageCache(), FakeDataCache())
    let pipeline = ImagePipeline.fake(
      loader: FakeDataLoader { _ in .data(Self.jpeg) }, imageCache: memory
    ) {
      $0.dataCache = disk
      $0.dataCachePolicy = policy
    }
    entry?.store(Self.container, Self.jpeg, for: request, in: pipeline)
    let (memoryWrites, diskWrites) = (memory.writeCount, disk.writes.count)
    let explanation = await pipeline.explain(request)
    #expect(disk.reads.isEmpty)
    let task = pipeline.imageTask(with: request)
    let result = await task.result
    await pipeline.encodingsDone()
    let written = Array(disk.writes.dropFirst(diskWrites))
    let stores = explanation.stores.filter { $0.notCachedReason == nil }
    let steps = explanation.steps
    let context: Comment = "\(request), \(request.options.rawValue), \(policy)\n\(explanation)"
    #expect(explanation.failure == result.error.map { "\($0)" }, context)
    if result.error == nil { #expect(explanation.origin == task.facts.origin, context) }
    #expect(Set(written) == Set(stores.filter { $0.place == .disk }.map(\.key)), context)
    #expect(memory.writeCount - memoryWrites == stores.count { $0.place == .memory }, context)
    #expect(pipeline.counters.decodes == steps.count { $0.kind == .decode }, context)
    #expect(pipeline.counters.processes == steps.count { $0.kind == .process }, context)
    let place = explanation.lookups.last { $0.finding != .notAsked }?.place
    #expect(pipeline.counters.downloads == (place == .network ? 1 : 0), context)
    if explanation.failure == nil, let byteCount = explanation.byteCount {
      #expect(byteCount == task.facts.byteCount, context)
    }
  }
}

extension ImageTask {
  fileprivate var result: Result<ImageResponse, ImagePipeline.Error> {
    get async {
      do throws(ImagePipeline.Error) {
        return .success(try await response)
      } catch {
        return .failure(error)
      }
    }
  }
}
