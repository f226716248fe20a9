import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("A loader that answers before loadData returns", .timeLimit(.minutes(1)))
struct SynchronousLoaderTests {
  private static let data = SampleImage.png(width: 8, height: 8)
  private static let loader = ClosureLoader { request, didReceiveData, completion in
    didReceiveData(Self.data, response(to: request, length: Self.data.count))
    completion(nil)
    return {}
  }

  private let pipeline = ImagePipeline.fake(loader: Self.loader)

  @Test("Who subscribes right after creation gets the progress, of each of 200 loads")
  func progress() async throws {
    for number in 0..<200 {
      let task = pipeline.imageTask(with: imageURL("\(number).png"))
      var last: ImageTask.Progress?
      for await progress in task.progress { last = progress }
      #expect(last?.completed == last?.total && last?.completed ?? 0 > 0, "load \(number)")
      _ = try await task.image
    }
  }

  @Test("Who subscribes right after creation gets the preview in memory, of each of 200 loads")
  func previews() async throws {
    let memory = FakeImageCache()
    let pipeline = ImagePipeline.fake(loader: Self.loader, imageCache: memory)
    for number in 0..<200 {
      let request = ImageRequest(url: imageURL("\(number).png"))
      memory[ImageCacheKey(request: request)] = ImageContainer(
        image: SampleImage.bitmap(width: 2, height: 2), isPreview: true)
      let task = pipeline.imageTask(with: request)
      var widths: [Int] = []
      for await preview in task.previews { widths.append(preview.image.pixelWidth) }
      #expect(widths == [2], "load \(number)")
    }
  }

  @Test("Who subscribes right after creation gets all events, of each of 200 loads")
  func events() async throws {
    for number in 0..<200 {
      let task = pipeline.imageTask(with: imageURL("\(number).png"))
      var names: [String] = []
      for await event in task.events {
        switch event {
        case .progress: names.append("progress")
        case .preview: names.append("preview")
        case .finished: names.append("finished")
        }
      }
      #expect(names == ["progress", "finished"], "load \(number)")
    }
  }

  /// The ways to start a load whose result goes to a closure.
  enum Way: CaseIterable {
    case image, data, queue, view
  }

  @MainActor private func start(_ way: Way, _ url: URL, into view: FakeImageView) -> ImageTask? {
    switch way {
    case .image: return pipeline.loadImage(with: url, completion: { _ in })
    case .data: return pipeline.loadData(with: ImageRequest(url: url), completion: { _ in })
    case .queue: return pipeline.loadImage(with: ImageRequest(url: url), on: nil) { _ in }
    case .view:
      var options = ImageLoadingOptions()
      options.pipeline = pipeline
      return loadImage(with: url, options: options, into: view)
    }
  }

  @Test("Tasks with closures keep their events until the main actor has received the result", arguments: Way.allCases)
  @MainActor func closures(way: Way) async throws {
    let view = FakeImageView()
    for number in 0..<50 {
      let task = try #require(start(way, imageURL("\(number).png"), into: view))
      // Without giving up the main actor, which would receive the result.
      while task.state == .running { sched_yield() }
      var last: ImageTask.Progress?
      for await progress in task.progress { last = progress }
      #expect(last?.completed == last?.total && last?.completed ?? 0 > 0, "load \(number)")
    }
  }
}
