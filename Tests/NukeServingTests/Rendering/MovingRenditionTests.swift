import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Animated responses")
struct MovingRenditionTests {
  /// Frames of one color each, on a canvas of 20 x 10 pixels.
  static func animation(_ colors: [Color] = [.red, .green, .blue]) throws -> Animation {
    try #require(
      Animation(
        frames: colors.map { .even($0, 20, 10) }, delays: colors.indices.map { 0.1 + Double($0) / 10 }, loopCount: 3))
  }

  static func file(_ format: ImageFormat, _ colors: [Color] = [.red, .green, .blue]) throws -> Data {
    format == .gif
      ? try GIFWriter().encode(animation(colors))
      : try WebPWriter(quality: 1, isLossless: true).encode(animation(colors))
  }

  @Test(
    "The result is animated if the format supports animation", arguments: [ImageFormat.gif, .webp],
    [ImageFormat.gif, .webp])
  func moving(from source: ImageFormat, to format: ImageFormat) async throws {
    let request = RenditionRequest(
      source: Rendering.source,
      options: ImageOptions {
        $0.width = 10
        $0.rotation = 90
        $0.padding = .init(top: 1, right: 1, bottom: 1, left: 1)
        $0.background = .black
      }, format: format)
    let plan = try Renderer().plan(for: request, source: try Self.file(source))
    #expect(plan.isMoving)
    let file = try await Renderer().render(plan, in: .rendering)
    let reader = try ImageReaders.reader(for: file.data)
    #expect(reader.header.format == format)
    #expect(reader.header.frameCount == 3)
    #expect(reader.header.loopCount == 3)
    #expect(reader.header.pixelWidth == 12)
    #expect(reader.header.pixelHeight == 22)
    let frames = try #require(try reader.animation()).frames()
    for (index, color) in [Color.red, .green, .blue].enumerated() {
      let frame = try #require(try frames.next())
      #expect(abs(frame.delay - (0.1 + Double(index) / 10)) < 0.001)
      let (expected, found) = (color.straightRGBA8, frame.image.pixel(6, 10))
      #expect(abs(Int(expected.0) - Int(found[0])) < 20)
      #expect(abs(Int(expected.1) - Int(found[1])) < 20)
      #expect(abs(Int(expected.2) - Int(found[2])) < 20)
      #expect(frame.image.pixel(0, 0)[0] < 40)
    }
  }

  @Test("The format for still images is not used for animated ones", arguments: [ImageFormat.gif, .webp])
  func negotiated(moving: ImageFormat) async throws {
    let request = RenditionRequest(source: Rendering.source, format: .png, movingFormat: moving)
    let plan = try Renderer().plan(for: request, source: try Self.file(.gif))
    let file = try await Renderer().render(plan, in: .rendering)
    let header = try ImageReaders.reader(for: file.data).header
    #expect(header.format == moving && header.frameCount == 3 && file.contentType == moving.mediaType)
    let still = try Renderer().plan(for: request, source: try Self.file(.gif, [.red]))
    #expect(still.format == .png && !still.isMoving)
    var limits = RenderLimits()
    limits.maximumAnimationFrames = 1
    let long = try Renderer(limits: limits).plan(for: request, source: try Self.file(.gif))
    #expect(long.format == .png && !long.isMoving, "where it must stand still, the format may as well")
  }

  @Test("Without a format, an animated image becomes GIF", arguments: [ImageFormat.gif, .webp])
  func fallback(source: ImageFormat) async throws {
    let file = try await Rendering.render(try Self.file(source))
    let header = try ImageReaders.reader(for: file.data).header
    #expect(header.format == .gif && header.frameCount == 3)
  }

  @Test("Other formats contain the first frame", arguments: [ImageFormat.jpeg, .png])
  func firstFrame(format: ImageFormat) async throws {
    let file = try await Rendering.render(try Self.file(.gif), as: format)
    let image = try Rendering.image(file)
    #expect(image.size == [20, 10])
    #expect(image.pixel(10, 5)[0] > 250 && image.pixel(10, 5)[1] < 5)
  }

  @Test("Above the limit of frames, the first ones are sent; above that of pixels, only the first")
  func limits() async throws {
    let data = try Self.file(.gif)
    func frameCount(_ change: (inout RenderLimits) -> Void, _ ask: (inout ImageOptions) -> Void = { _ in }) async throws
      -> Int?
    {
      var limits = RenderLimits()
      change(&limits)
      let file = try await Rendering.render(data, with: Renderer(limits: limits), ask)
      return try ImageReaders.reader(for: file.data).header.frameCount
    }
    #expect(try await frameCount { $0.maximumAnimationFrames = 3 } == 3)
    #expect(try await frameCount { $0.maximumAnimationFrames = 2 } == 2)
    #expect(try await frameCount { $0.maximumAnimationFrames = 1 } == 1)
    #expect(try await frameCount({ _ in }) { $0.limits.frames = 2 } == 2)
    #expect(try await frameCount { $0.maximumAnimationPixels = 600 } == 3)
    #expect(try await frameCount { $0.maximumAnimationPixels = 599 } == 1)
    // The result's pixels count as well.
    #expect(
      try await frameCount({ $0.maximumAnimationPixels = 600 }) {
        $0.width = 40
        $0.enlarges = true
      } == 1)
  }

  @Test("A still image stays still in an animated format")
  func still() async throws {
    let file = try await Rendering.render(try Self.file(.gif, [.red]), as: .webp)
    #expect(try ImageReaders.reader(for: file.data).header.frameCount == 1)
  }

  @Test("A damaged frame is an error, and no partial animation is sent")
  func damaged() async throws {
    var data = try WebPWriter(quality: 0.9).encode(
      try #require(
        Animation(
          frames: (0..<4).map { index in
            .painted(64, 64) { x, y in Color(white: CGFloat((x * y + index * 50) % 256) / 255) }
          },
          delays: [1, 1, 1, 1])))
    let last = try #require(data.range(of: Data("ANMF".utf8), options: .backwards)).lowerBound
    // What the frame says of its own format.
    for place in last + 24..<last + 44 { data[place] = 0xFF }
    let error = await #expect(throws: ServingError.self) { try await Rendering.render(data) }
    #expect(error?.status == 422)
  }
}
