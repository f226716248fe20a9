import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Decoding at a reduced size", .timeLimit(.minutes(1)))
struct ReductionTests {
  let url = imageURL("a.jpg")
  let loader = FakeDataLoader()
  let jpeg = SampleImage.jpeg(width: 256, height: 192)

  init() { loader.answer(url, with: .data(jpeg)) }

  private func task(
    _ processors: [any ImageProcessing], thumbnail: ImageRequest.ThumbnailOptions? = nil,
    on pipeline: ImagePipeline? = nil
  ) -> ImageTask {
    var request = ImageRequest(url: url, processors: processors)
    request.thumbnail = thumbnail
    return (pipeline ?? .fake(loader: loader)).imageTask(with: request)
  }

  @Test(
    "The largest reduction with enough pixels for the first resize is used",
    arguments: [(256, 1), (200, 1), (129, 1), (128, 2), (65, 2), (64, 4), (33, 4), (32, 8), (5, 8)] as [(CGFloat, Int)])
  func resize(width: CGFloat, denominator: Int) async throws {
    let task = task([.resize(width: width, unit: .pixels)])
    #expect(try await task.image.pixelWidth == Int(width))
    #expect(task.facts.scaleDenominator == denominator)
  }

  @Test(
    "The request determines the number of pixels",
    arguments: [(.fast, 8), (.balanced, 4), (.none, 1)] as [(ImageProcessingOptions.Reduction, Int)])
  func chosen(reduction: ImageProcessingOptions.Reduction, denominator: Int) async throws {
    let resized = task([.resize(width: 32, unit: .pixels, reduction: reduction)])
    #expect(try await resized.image.pixelWidth == 32)
    #expect(resized.facts.scaleDenominator == denominator)
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 32)
    options.reduction = reduction
    let thumbnail = task([], thumbnail: options)
    #expect(try await thumbnail.image.pixelWidth == 32)
    #expect(thumbnail.facts.scaleDenominator == denominator)
  }

  @Test("Images of different reductions differ, and are cached separately")
  func keptApart() async throws {
    let pipeline = ImagePipeline.fake(loader: loader) { $0.imageCache = ImageCache() }
    let fast = try await task([.resize(width: 32, unit: .pixels)], on: pipeline).image
    let exact = try await task([.resize(width: 32, unit: .pixels, reduction: .none)], on: pipeline).image
    #expect(fast.pixels != exact.pixels)
  }

  @Test("A composition that begins with a resize is considered")
  func composition() async throws {
    let task = task([
      ImageProcessors.Composition([ImageProcessors.Resize(width: 64, unit: .pixels), FakeProcessor("p")])
    ])
    #expect(try await task.image.pixelWidth == 64)
    #expect(task.facts.scaleDenominator == 4)
  }

  @Test("Without a resize first, the image is decoded at full size")
  func otherFirst() async throws {
    let first = FakeProcessor("first")
    let task = task([first, ImageProcessors.Resize(width: 32, unit: .pixels)])
    #expect(try await task.image.pixelWidth == 32)
    #expect(task.facts.scaleDenominator == 1)
    #expect(first.receivedContainers.first?.image.pixelWidth == 256)
  }

  @Test("There is no reduction if it would blend pixels differently than the resize")
  func otherMixing() async throws {
    for (processor, denominator) in [
      (ImageProcessors.Resize(width: 32, unit: .pixels, filter: .bilinear), 8),
      (ImageProcessors.Resize(width: 32, unit: .pixels, filter: .area), 8),
      (ImageProcessors.Resize(width: 32, unit: .pixels, linearLight: true), 1),
      (ImageProcessors.Resize(width: 32, unit: .pixels, filter: .nearest), 1),
    ] {
      let task = task([processor])
      #expect(try await task.image.pixelWidth == 32)
      #expect(task.facts.scaleDenominator == denominator, "\(processor)")
    }
  }

  @Test("Formats without reduced decoding are decoded at full size")
  func png() async throws {
    loader.answer(url, with: .data(SampleImage.png(width: 256, height: 192)))
    let task = task([.resize(width: 32, unit: .pixels)])
    #expect(try await task.image.pixelWidth == 32)
    #expect(task.facts.scaleDenominator == 1)
  }

  @Test("Thumbnails fit into a side or fill a size")
  func thumbnails() async throws {
    let bySide = task([], thumbnail: .init(maxPixelSize: 64))
    let image = try await bySide.image
    #expect((image.pixelWidth, image.pixelHeight) == (64, 48))
    #expect(bySide.facts.scaleDenominator == 4)
    let filling = try await task([], thumbnail: .init(size: CGSize(width: 48, height: 48), unit: .pixels)).image
    #expect((filling.pixelWidth, filling.pixelHeight) == (64, 48))
    let fitting = try await task(
      [], thumbnail: .init(size: CGSize(width: 48, height: 48), unit: .pixels, contentMode: .aspectFit)
    ).image
    #expect((fitting.pixelWidth, fitting.pixelHeight) == (48, 36))
  }

  @Test("A thumbnail is made before the processors run")
  func thumbnailFirst() async throws {
    let processor = FakeProcessor("p")
    let task = task([processor, .resize(width: 16, unit: .pixels)], thumbnail: .init(maxPixelSize: 64))
    #expect(try await task.image.pixelWidth == 16)
    #expect(processor.receivedContainers.first?.image.pixelWidth == 64)
    #expect(task.facts.scaleDenominator == 4)
  }

  @Test("The requested scale is kept")
  func scale() async throws {
    var request = ImageRequest(url: url, processors: [.resize(width: 64, unit: .pixels)])
    request.scale = 2
    let image = try await ImagePipeline.fake(loader: loader).image(for: request)
    #expect(image.scale == 2)
    #expect(image.size.width == 32)
  }

  @Test("Earlier requests do not affect the pixels", arguments: [CGFloat(200), 128, 100, 60, 20])
  func reproducible(width: CGFloat) async throws {
    let processors: [any ImageProcessing] = [.resize(width: width, unit: .pixels)]
    let expected = try await task(processors).image.pixels
    // The original is in memory, alone or with another size of it.
    let pipeline = ImagePipeline.fake(loader: loader)
    _ = try await pipeline.image(for: url)
    #expect(try await task(processors, on: pipeline).image.pixels == expected)
    let second = ImagePipeline.fake(loader: loader)
    _ = try await task([.resize(width: 150, unit: .pixels)], on: second).image
    _ = try await task([], thumbnail: .init(maxPixelSize: 70), on: second).image
    #expect(try await task(processors, on: second).image.pixels == expected)
    // And while the original is being loaded for another request.
    let third = ImagePipeline.fake(loader: loader)
    let original = third.imageTask(with: url)
    #expect(try await task(processors, on: third).image.pixels == expected)
    _ = try await original.image
  }

  @Test("An original in memory is used if decoding would give the same image")
  func originalInMemory() async throws {
    let pipeline = ImagePipeline.fake(loader: loader)
    _ = try await pipeline.image(for: url)
    let large = task([.resize(width: 200, unit: .pixels)], on: pipeline)
    _ = try await large.image
    #expect(large.facts.origin == .memory)
    #expect(loader.requests.count == 1)
    let small = task([.resize(width: 64, unit: .pixels)], on: pipeline)
    _ = try await small.image
    #expect(small.facts.scaleDenominator == 4)
    #expect(loader.requests.count == 2)
  }
}
