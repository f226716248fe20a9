import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Limits of rendering")
struct RenditionLimitTests {
  @Test("Frames with too many pixels are rejected if the URL limits them, and still images are not")
  func framePixels() async throws {
    let moving = try MovingRenditionTests.file(.gif)
    #expect(try Rendering.image(try await Rendering.render(moving) { $0.limits.framePixels = 200 }).size == [20, 10])
    await #expect { try await Rendering.render(moving) { $0.limits.framePixels = 199 } } throws: {
      ($0 as? ServingError)?.status == 422
    }
    let still = SampleImage.png(width: 20, height: 10)
    #expect(try Rendering.image(try await Rendering.render(still) { $0.limits.framePixels = 199 }).size == [20, 10])
  }

  @Test("The limits of a URL are lower than those of the server")
  func ownLimits() async throws {
    let data = SampleImage.png(width: 100, height: 50)
    for change: @Sendable (inout ImageOptions) -> Void in [
      { $0.limits.sourcePixels = 4999 }, { $0.limits.sourceBytes = data.count - 1 },
    ] {
      await #expect { try await Rendering.render(data, change) } throws: { ($0 as? ServingError)?.status == 422 }
    }
    let file = try await Rendering.render(data) {
      $0.limits.sourcePixels = 5000
      $0.limits.sourceBytes = data.count
    }
    #expect(try Rendering.image(file).size == [100, 50])
    var limits = RenderLimits()
    limits.source = CodecLimits(maximumPixelCount: 4000)
    await #expect {
      try await Rendering.render(data, with: Renderer(limits: limits)) { $0.limits.sourcePixels = 9000 }
    } throws: { ($0 as? ServingError)?.status == 422 }
  }

  @Test("A result with too long a side is scaled down, with its canvas and padding")
  func resultSide() async throws {
    let data = SampleImage.png(width: 200, height: 100)
    func size(_ ask: (inout ImageOptions) -> Void) async throws -> [Int] {
      try Rendering.image(try await Rendering.render(data, ask)).size
    }
    #expect(try await size { $0.limits.resultSide = 200 } == [200, 100])
    #expect(try await size { $0.limits.resultSide = 50 } == [50, 25])
    #expect(
      try await size {
        $0.limits.resultSide = 60
        $0.padding = .init(top: 10, right: 50, bottom: 10, left: 50)
      } == [60, 24])
    #expect(
      try await size {
        $0.limits.resultSide = 80
        $0.enlarges = true
        $0.width = 5000
      } == [80, 40])
  }

  @Test(
    "A result that would be larger than its source is scaled down from the source's size", arguments: [1, 0.9, 8],
    [201, 300, 5000])
  func resultSideOfSmallSource(dpr: Double, width: Int) async throws {
    let data = SampleImage.png(width: 200, height: 100)
    let file = try await Rendering.render(data) {
      $0.limits.resultSide = 80
      $0.width = width
      $0.dpr = dpr
    }
    #expect(try Rendering.image(file).size == [80, 40])
  }

  @Test("An icon has at most 256 pixels a side")
  func icon() async throws {
    let file = try await Rendering.render(SampleImage.png(width: 600, height: 300), as: .ico)
    #expect(try Rendering.image(file).size == [256, 128])
  }
}
