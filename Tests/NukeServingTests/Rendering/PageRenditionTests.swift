import Foundation
import Nuke
import NukeCodecs
import NukeImaging
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Renditions of pages")
struct PageRenditionTests {
  private static func pixel(_ color: Color) -> [UInt8] {
    let (red, green, blue, alpha) = color.premultipliedRGBA8
    return [red, green, blue, alpha]
  }

  private static let rows: [(page: Int, count: Int, expected: [Color])] = [
    (0, 1, [.red]), (1, 1, [.green]), (2, 1, [.blue]), (0, 2, [.red, .green]), (1, 2, [.green, .blue]),
    (0, 3, [.red, .green, .blue]), (2, 5, [.blue]), (1, 2_000_000_000, [.green, .blue]),
  ]

  @Test(
    "The pages are the frames of an animated image, below each other", arguments: [ImageFormat.gif, .webp], rows)
  func frames(_ format: ImageFormat, _ row: (page: Int, count: Int, expected: [Color])) async throws {
    let file = try await Rendering.render(try MovingRenditionTests.file(format), as: .png) {
      ($0.page, $0.pageCount) = (row.page, row.count)
    }
    let image = try Rendering.image(file)
    // Frames have 20 x 10 pixels.
    #expect(image.size == [20, 10 * row.expected.count])
    for (index, color) in row.expected.enumerated() {
      #expect(image.pixel(0, 10 * index) == Self.pixel(color))
      #expect(image.pixel(19, 10 * index + 9) == Self.pixel(color))
    }
    #expect(
      file.sizes
        == RenditionSizes(
          sourceWidth: 20, sourceHeight: 10 * row.expected.count, width: 20, height: 10 * row.expected.count))
  }

  @Test("All other options apply to the pages together")
  func options() async throws {
    let file = try await Rendering.render(try MovingRenditionTests.file(.gif), as: .png) {
      ($0.page, $0.pageCount, $0.rotation) = (1, 2, 90)
      $0.crop = .init(width: 0, height: 0.5, gravity: .init(.north))
    }
    let image = try Rendering.image(file)
    // Turned by 90°, the pages are beside each other, the second one at the left.
    #expect(image.size == [20, 10])
    #expect(image.pixel(0, 0) == Self.pixel(.blue) && image.pixel(19, 9) == Self.pixel(.green))
    let color = try await Rendering.render(try MovingRenditionTests.file(.gif)) {
      ($0.page, $0.placeholder) = (2, .dominantColor)
    }
    #expect(String(decoding: color.data, as: UTF8.self) == "#0000ff")
  }

  @Test("An animated result contains all frames, unless animation is disabled")
  func animated() async throws {
    let data = try MovingRenditionTests.file(.webp)
    let all = try await Rendering.render(data, as: .gif) { $0.page = 1 }
    #expect(try ImageReaders.reader(for: all.data).header.frameCount == 3)
    let still = try await Rendering.render(data, as: .gif) { ($0.page, $0.disablesAnimation) = (1, true) }
    #expect(try ImageReaders.reader(for: still.data).header.frameCount == 1)
    #expect(try Rendering.image(still).pixel(5, 5) == Self.pixel(.green))
    let first = try await Rendering.render(data, as: .webp) { $0.disablesAnimation = true }
    #expect(try ImageReaders.reader(for: first.data).header.frameCount == 1)
    // Without a format, a still image of WebP is JPEG.
    #expect(try await Rendering.render(data) { $0.disablesAnimation = true }.contentType == "image/jpeg")
  }

  @Test("A still image has one page, which every number selects")
  func still() async throws {
    let data = try Rendering.encoded(.even(.red, 4, 4), as: .png)
    let plain = try await Rendering.render(data)
    #expect(try await Rendering.render(data) { ($0.page, $0.pageCount) = (7, 3) } == plain)
  }

  @Test("A page that does not exist is an error that names the number of pages")
  func missing() async throws {
    let data = try MovingRenditionTests.file(.gif)
    await #expect(throws: ServingError.notAnImage("it has no page 3, but 3 pages, of which the first one is 0")) {
      try await Rendering.render(data, as: .png) { $0.page = 3 }
    }
  }

  @Test("A file with fewer frames than it states is an error, and no memory is shown in their place", arguments: 0...3)
  func fewerFrames(page: Int) throws {
    let animation = Animation(pixelWidth: 20, pixelHeight: 10, loopCount: 0, delays: [1, 1, 1, 1]) { OneFrame() }
    let reader = PagesReader(
      try ImageReaders.reader(for: try MovingRenditionTests.file(.gif)), animation, pages: page..<4)
    #expect(throws: CodecError.malformed(.gif, reason: "frame 1 is missing", offset: nil)) {
      try reader.decode(DecodeOptions())
    }
  }

  /// The source of one frame.
  private final class OneFrame: AnimationFrameSource {
    private var isRead = false

    func nextFrame() -> Bitmap? {
      defer { isRead = true }
      return isRead ? nil : .even(.red, 20, 10)
    }

    func rewind() { isRead = false }
  }

  @Test("The pixels of the pages, and of the frames before them, are limited")
  func limits() async throws {
    let data = try MovingRenditionTests.file(.gif)
    // A frame has 200 pixels.
    var limits = RenderLimits()
    limits.maximumAnimationPixels = 599
    for (page, count) in [(2, 1), (1, 2), (0, 3)] {
      let error = await #expect(throws: ServingError.self) {
        try await Rendering.render(data, with: Renderer(limits: limits), as: .png) {
          ($0.page, $0.pageCount) = (page, count)
        }
      }
      #expect(error?.name == "tooLarge")
    }
    _ = try await Rendering.render(data, with: Renderer(limits: limits), as: .png) { $0.pageCount = 2 }
    limits = RenderLimits()
    limits.source.maximumPixelCount = 399
    let error = await #expect(throws: ServingError.self) {
      try await Rendering.render(data, with: Renderer(limits: limits), as: .png) { $0.pageCount = 2 }
    }
    #expect(error?.name == "tooLarge")
    _ = try await Rendering.render(data, with: Renderer(limits: limits), as: .png) { $0.page = 2 }
  }

  @Test("The memory for the pages is predicted")
  func memory() throws {
    let data = try MovingRenditionTests.file(.gif)
    func predicted(_ count: Int) throws -> Int {
      let request = RenditionRequest(
        source: Rendering.source, options: ImageOptions { $0.pageCount = count }, format: .png)
      return try Renderer().plan(for: request, source: data).predictedByteCount
    }
    // Each page has 800 bytes as a source, as it is sampled, and twice as a result. Three canvases are added.
    #expect(try predicted(3) - predicted(2) == 4 * 800)
    #expect(try predicted(2) - predicted(1) == 4 * 800 + 3 * 800)
  }
}
