#if SVG
  import Foundation
  import Nuke
  import NukeTesting
  import Testing

  @Suite("Rendering vector images at the requested size", .timeLimit(.minutes(1)))
  struct DrawingTests {
    let url = imageURL("a.svg")
    let loader = FakeDataLoader()

    init() {
      // The left half is blue, with an edge that is sharp at even widths.
      let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><rect width="12" height="12" fill="#00f"/></svg>
        """
      loader.answer(url, with: .data(Data(drawing.utf8)))
    }

    private func image(
      _ processors: [any ImageProcessing], thumbnail: ImageRequest.ThumbnailOptions? = nil,
      on pipeline: ImagePipeline? = nil
    ) async throws -> PlatformImage {
      var request = ImageRequest(url: url, processors: processors)
      request.thumbnail = thumbnail
      return try await (pipeline ?? .fake(loader: loader)).image(for: request)
    }

    /// Returns `true` if every pixel is blue or nothing, half of each.
    private func isSharp(_ image: PlatformImage) -> Bool {
      let (width, pixels) = (image.pixelWidth, image.pixels)
      return stride(from: 0, to: pixels.count, by: 4).allSatisfy { offset in
        let expected: [UInt8] = offset / 4 % width < width / 2 ? [0, 0, 255, 255] : [0, 0, 0, 0]
        return Array(pixels[offset..<offset + 4]) == expected
      }
    }

    @Test("A vector image is drawn at the size of the first resize, larger or smaller", arguments: [6, 24, 100, 1000])
    func resize(width: CGFloat) async throws {
      let image = try await image([.resize(width: width, unit: .pixels)])
      #expect((image.pixelWidth, image.pixelHeight) == (Int(width), Int(width) / 2))
      #expect(isSharp(image))
    }

    @Test("A vector image is drawn for thumbnails, compositions, and a resize with cropping")
    func others() async throws {
      let thumbnail = try await image([], thumbnail: .init(maxPixelSize: 300))
      #expect((thumbnail.pixelWidth, thumbnail.pixelHeight) == (300, 150))
      #expect(isSharp(thumbnail))
      let composed = try await image([
        ImageProcessors.Composition([ImageProcessors.Resize(height: 60, unit: .pixels), FakeProcessor("p")])
      ])
      #expect((composed.pixelWidth, composed.pixelHeight) == (120, 60))
      for side in [50, 51, 64] as [CGFloat] {
        let square = try await image([
          .resize(size: CGSize(width: side, height: side), unit: .pixels, contentMode: .aspectFill, crop: true)
        ])
        #expect((square.pixelWidth, square.pixelHeight) == (Int(side), Int(side)))
        #expect(side.truncatingRemainder(dividingBy: 2) != 0 || isSharp(square))
      }
    }

    @Test("A vector image is drawn at its own size if no size is requested, or another processor comes first")
    func ownSize() async throws {
      #expect(try await image([]).pixelWidth == 24)
      let first = FakeProcessor("first")
      #expect(try await image([first, ImageProcessors.Resize(width: 12, unit: .pixels)]).pixelWidth == 12)
      #expect(first.receivedContainers.first?.image.pixelWidth == 24)
    }

    @Test("A drawing that states a size above the limits is drawn at a smaller one, and rejected at its own")
    func largeSize() async throws {
      let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400000 200000">
        <rect width="200000" height="200000" fill="#00f"/></svg>
        """
      loader.answer(url, with: .data(Data(drawing.utf8)))
      let pipeline = ImagePipeline.fake(loader: loader) {
        $0.codecLimits = CodecLimits(maximumPixelCount: 8192, maximumSide: 128)
      }
      let resized = try await image([.resize(width: 128, unit: .pixels)], on: pipeline)
      #expect((resized.pixelWidth, resized.pixelHeight) == (128, 64))
      #expect(isSharp(resized))
      let thumbnail = try await image([], thumbnail: .init(maxPixelSize: 100), on: pipeline)
      #expect((thumbnail.pixelWidth, thumbnail.pixelHeight) == (100, 50))
      for processors in [[], [.resize(width: 130, unit: .pixels)]] as [[any ImageProcessing]] {
        let error = await #expect(throws: ImagePipeline.Error.self) { try await image(processors, on: pipeline) }
        #expect(try #require(error).description.contains("more than the 128 pixels allowed on a side"))
      }
    }

    @Test("A compressed drawing is recognized by its content, whatever its media type says")
    func compressed() async throws {
      // `gzip.compress` of Python for a drawing of 20 by 10 pixels in #00ff00.
      let data = try #require(
        Data(
          base64Encoded: "H4sIAAAAAAACA3XMyQ2AMAwF0VYic48/cENJmgGySGERWJjygQI4z9O480rmXup6esoi"
            + "+8CsqlZ7ux2JOwD8CjJaJsmeOpDJc0lZPLWg4I55lJ9oYqnVUwPECBAH963CA2pWSyxyAAAA"))
      for type in ["image/svg+xml", "application/gzip"] {
        let loader = FakeDataLoader()
        loader.answer(url, with: .data(data, headers: ["Content-Type": type]))
        let image = try await image([.resize(width: 40, unit: .pixels)], on: .fake(loader: loader))
        #expect((image.pixelWidth, image.pixelHeight) == (40, 20))
        #expect(image.pixels == (0..<800).flatMap { _ in [0, 255, 0, 255] as [UInt8] })
      }
    }

    @Test("Different sizes are drawn separately, and equal ones once")
    func together() async throws {
      let pipeline = ImagePipeline.fake(loader: loader)
      let widths: [CGFloat] = [30, 40, 40, 500, 24]
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for width in widths {
          group.addTask {
            let image = try await image([.resize(width: width, unit: .pixels)], on: pipeline)
            return image.pixelWidth == Int(width) && isSharp(image)
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }

    @Test("A drawn original in memory is not enlarged")
    func originalInMemory() async throws {
      let pipeline = ImagePipeline.fake(loader: loader)
      _ = try await image([], on: pipeline)
      let large = try await image([.resize(width: 240, unit: .pixels)], on: pipeline)
      #expect(large.pixelWidth == 240)
      #expect(isSharp(large))
      let same = pipeline.imageTask(
        with: ImageRequest(url: url, processors: [.resize(width: 24, unit: .pixels)]))
      _ = try await same.image
      #expect(same.facts.origin == .memory)
    }

    @Test("A smaller image is drawn, and not made from a larger one on disk")
    func notFromLargerImage() async throws {
      let cache = FakeDataCache()
      let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
        $0.dataCache = cache
        $0.dataCachePolicy = .storeEncodedImages
        $0.isReusingLargerImagesInDataCache = true
      }
      for width in [200, 50] as [CGFloat] {
        #expect(isSharp(try await image([.resize(width: width, unit: .pixels)], on: pipeline)))
        await pipeline.encodingsDone()
      }
      #expect(loader.requests.count == 2)
      // Unless another processor comes first, so that it is drawn at its own size.
      for width in [20, 10] as [CGFloat] {
        _ = try await image([FakeProcessor("/a"), .resize(width: width, unit: .pixels)], on: pipeline)
        await pipeline.encodingsDone()
      }
      #expect(loader.requests.count == 3)
    }
  }
#endif
