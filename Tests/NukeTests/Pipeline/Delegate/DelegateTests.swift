import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Pipeline delegates", .timeLimit(.minutes(1)))
struct DelegateTests {
  typealias Hooks = HookedDelegate.Hooks

  let url = imageURL("a.png")
  let key = imageURL("a.png").absoluteString
  let original = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()
  let memory = FakeImageCache()
  let disk = FakeDataCache()
  let log = CallLog()

  init() { loader.answer(url, with: .data(original)) }

  func pipeline(
    _ delegate: any ImagePipeline.Delegate, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    let configuration = ImagePipeline.Configuration.fake(loader: loader, imageCache: memory) {
      $0.dataCache = disk
      $0.dataCachePolicy = .storeAll
      configure(&$0)
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  func hooked(
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }, _ hooks: (inout Hooks) -> Void
  ) -> ImagePipeline { pipeline(HookedDelegate(hooks), configure) }

  func blurred(_ options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: url, processors: [FakeProcessor("/blur")], options: options)
  }

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
}
