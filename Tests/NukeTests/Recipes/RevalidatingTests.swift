import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Cached, then current images", .timeLimit(.minutes(1)))
struct RevalidatingTests {
  private let url = imageURL("a.png")
  private let gate = Gate()
  private let loader = FakeDataLoader()
  private let old = SampleImage.png(width: 1, height: 1)
  private let new = SampleImage.png(width: 2, height: 1)

  init() { loader.answer(url, with: .data(new).held(by: gate)) }

  private func pipeline(disk: FakeDataCache? = nil) -> ImagePipeline { .fake(loader: loader) { $0.dataCache = disk } }

  /// Lets the load come after the first image, where `isHeld`.
  private func widths(
    _ pipeline: ImagePipeline, isHeld: Bool = true
  ) async -> (widths: [Int], error: ImagePipeline.Error?) {
    if !isHeld { gate.open() }
    var widths: [Int] = []
    do {
      for try await response in pipeline.responses(revalidating: ImageRequest(url: url)) {
        widths.append(response.image.pixelWidth)
        gate.open()
      }
      return (widths, nil)
    } catch {
      return (widths, error as? ImagePipeline.Error)
    }
  }

  @Test("The image from disk is followed by the one from the server, which is stored")
  func disk() async {
    let disk = FakeDataCache([url.absoluteString: old])
    let pipeline = pipeline(disk: disk)
    #expect(await widths(pipeline).widths == [1, 2])
    #expect(pipeline.cache[url]?.image.pixelWidth == 2)
    await disk.writes(count: 1)
    #expect(disk.contents[url.absoluteString] == new)
  }

  @Test("The image from memory is followed by the one from the server")
  func memory() async {
    let pipeline = pipeline()
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 3, height: 1))
    #expect(await widths(pipeline).widths == [3, 2])
  }

  @Test("Without a cached image, only the one from the server is delivered")
  func nothingCached() async {
    // Again and again, since the look into the caches must not find what the load has stored there meanwhile.
    for _ in 0..<100 {
      let (widths, error) = await widths(pipeline(disk: FakeDataCache()), isHeld: false)
      #expect(widths == [2])
      #expect(error == nil)
    }
  }

  @Test("If the server is faster than the disk, only its image is delivered")
  func slowDisk() async {
    let disk = Gate()
    let cache = FakeDataCache([url.absoluteString: old], gate: disk)
    #expect(await widths(pipeline(disk: cache), isHeld: false).widths == [2])
    disk.open()
  }

  @Test("If the server fails, the cached image is delivered and the error thrown")
  func failing() async {
    loader.answer(url, with: .failure(Refusal(number: 5)).held(by: gate))
    let (widths, error) = await widths(pipeline(disk: FakeDataCache([url.absoluteString: old])))
    #expect(widths == [1])
    #expect(error?.dataLoadingError as? Refusal == Refusal(number: 5))
  }
}
