#if Video
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @testable import NukeServing

  /// Of a fixture whose upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
  @Suite("Videos in responses")
  struct VideoRenditionTests {
    private func video(_ name: String = "h264.mp4") throws -> Data {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      return try Data(contentsOf: folder.appending(path: "../../NukeCodecsTests/Fixtures/Video/\(name)").standardized)
    }

    private func gray(_ image: Bitmap) -> Int { Int(image.pixelBytes[(4 * image.pixelWidth + 4) * 4]) }

    @Test("The response is the first frame as a still image", arguments: [nil, .png, .webp, .gif] as [ImageFormat?])
    func poster(_ format: ImageFormat?) async throws {
      let file = try await Rendering.render(try video(), as: format) { $0.width = 32 }
      #expect(file.contentType == (format ?? .jpeg).mediaType)
      #expect(try ImageReaders.reader(for: file.data).header.frameCount == 1)
      let image = try Rendering.image(file)
      #expect(image.size == [32, 24])
      #expect(gray(image) <= 8)
    }

    @Test("The time of the frame can be chosen")
    func time() async throws {
      for second in [0.25, 0.75, 9] {
        let image = try Rendering.image(
          try await Rendering.render(try video(), as: .png) { $0.videoSecond = second })
        #expect(abs(gray(image) - 20 * min(Int(second * 10), 11)) <= 6)
      }
    }

    @Test("Placeholders are made from the frame")
    func placeholder() async throws {
      for (second, color) in [(0.05, "#000000"), (1.15, "#ffffff")] {
        let file = try await Rendering.render(try video("scenes.mp4")) {
          $0.placeholder = .dominantColor
          $0.videoSecond = second
        }
        #expect(String(decoding: file.data, as: UTF8.self) == color)
      }
    }

    /// Returns the grays of frames in one image, at their upper left.
    private func grays(_ image: Bitmap, _ width: Int, _ height: Int) -> [Int] {
      stride(from: 0, to: image.pixelHeight, by: height).flatMap { y in
        stride(from: 0, to: image.pixelWidth, by: width).map { x in
          image.pixel(x + width / 8, y + height / 4)[3] == 0 ? -1 : Int(image.pixel(x + width / 8, y + height / 4)[0])
        }
      }
    }

    private func tiles(
      _ columns: Int, _ rows: Int, step: Double = 0.3, width: Int = 32, height: Int = 24,
      _ change: (inout ImageOptions.VideoFrames) -> Void = { _ in }
    ) async throws -> Bitmap {
      var frames = ImageOptions.VideoFrames(
        .tiles(columns: columns, rows: rows), step: step, width: width, height: height)
      change(&frames)
      return try Rendering.image(try await Rendering.render(try video(), as: .png) { $0.videoFrames = frames })
    }

    private func isClose(_ grays: [Int], _ expected: [Int]) -> Bool {
      grays.count == expected.count && zip(grays, expected).allSatisfy { abs($0 - $1) <= 6 }
    }

    @Test("Frames at equal distances are beside and below each other")
    func tiles() async throws {
      // Frames 0, 3, 6 and 9; the video ends after 1.2 seconds.
      for step in [0.3, -1] {
        let image = try await tiles(2, 2, step: step)
        #expect(image.size == [64, 48])
        #expect(isClose(grays(image, 32, 24), [0, 60, 120, 180]))
      }
      let rest = try await tiles(2, 3)
      #expect(rest.size == [64, 72] && isClose(grays(rest, 32, 24), [0, 60, 120, 180, -1, -1]))
      #expect(try await tiles(2, 3) { $0.trims = true }.size == [64, 48])
      #expect(try await tiles(8, 1) { $0.trims = true }.size == [128, 24])
      // Not enlarged, and with the other side computed.
      #expect(try await tiles(1, 2, width: 1000, height: 0).size == [64, 96])
      #expect(try await tiles(1, 2, width: 0, height: 12).size == [16, 24])
    }

    @Test("Tiles have exactly their size if they are extended or filled")
    func tileSizes() async throws {
      let extended = try await tiles(2, 1, width: 32, height: 32) { $0.extends = true }
      #expect(extended.size == [64, 32])
      // The bars have four rows.
      #expect(extended.pixel(36, 2) == [0, 0, 0, 255] && extended.pixel(36, 30) == [0, 0, 0, 255])
      #expect(abs(Int(extended.pixel(36, 8)[0]) - 60) <= 6)
      let filled = try await tiles(2, 1, width: 24, height: 24) { ($0.fills, $0.focus) = (true, .init(0, 0)) }
      #expect(filled.size == [48, 24] && abs(Int(filled.pixel(28, 4)[0]) - 60) <= 6)
    }

    @Test("An animation has the frames at equal distances, with the delay", arguments: [ImageFormat.gif, .webp])
    func animation(format: ImageFormat) async throws {
      let file = try await Rendering.render(try video(), as: format) {
        $0.videoFrames = .init(.animation(count: 6, delay: 150), step: 0.3, width: 32, height: 24)
        $0.padding = .init(top: 2, right: 0, bottom: 0, left: 0)
      }
      let reader = try ImageReaders.reader(for: file.data)
      #expect(reader.header.pixelWidth == 32 && reader.header.pixelHeight == 26)
      let frames = try #require(try reader.animation()).frames()
      var found: [Int] = []
      while let frame = try frames.next() {
        found.append(Int(frame.image.pixel(4, 8)[0]))
        #expect(abs(frame.delay - 0.15) < 0.001 || found.count >= 4)
      }
      // Writers may join the repeated frames at the end.
      #expect(found.count >= 4 && zip(found, [0, 60, 120, 180, 180, 180]).allSatisfy { abs($0 - $1) <= 8 })
      let still = try await Rendering.render(try video(), as: .png) {
        $0.videoFrames = .init(.animation(count: 4, delay: 150), step: 0.3, width: 32, height: 24)
      }
      #expect(try Rendering.image(still).size == [32, 24])
    }

    @Test("A file without a video is no image")
    func sound() async throws {
      let data = try video("sound.mp4")
      let error = await #expect(throws: ServingError.self) { try await Rendering.render(data) }
      #expect(error?.name == "notAnImage")
    }
  }
#endif
