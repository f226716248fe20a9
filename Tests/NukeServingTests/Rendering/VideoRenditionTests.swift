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

    @Test("A file without a video is no image")
    func sound() async throws {
      let data = try video("sound.mp4")
      let error = await #expect(throws: ServingError.self) { try await Rendering.render(data) }
      #expect(error?.name == "notAnImage")
    }
  }
#endif
