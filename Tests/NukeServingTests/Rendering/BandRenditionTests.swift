import Foundation
import Nuke
import NukeCodecs
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Renditions of large sources, in bands")
struct BandRenditionTests {
  /// Two renderers, of which the second decodes every image in bands that it can.
  private static let whole = Renderer()
  private static let banded: Renderer = {
    var renderer = Renderer()
    renderer.leastPixelCountOfBands = 1
    return renderer
  }()

  private static let requests: [@Sendable (inout ImageOptions) -> Void] = [
    { _ in },
    { $0.width = 301 },
    { ($0.width, $0.height, $0.resizing) = (200, 200, .fill) },
    { ($0.width, $0.height, $0.resizing, $0.enlarges) = (900, 100, .force, true) },
    { $0.crop = .init(width: 301, height: 203, gravity: .init(.northEast)) },
    { ($0.crop, $0.width) = (.init(width: 0.5, height: 0.7), 150) },
    { ($0.width, $0.blur) = (300, 2) },
    { ($0.width, $0.padding) = (300, .init(top: 5, right: 6, bottom: 7, left: 8)) },
    { ($0.width, $0.background) = (300, .red) },
    { ($0.width, $0.autoRotates) = (300, false) },
  ]

  private static func png(isOpaque: Bool) throws -> Data {
    try #require(SampleImage.bitmap(width: 640, height: 480, isOpaque: isOpaque).pngData())
  }

  private static let sources: [(name: String, data: @Sendable () throws -> Data)] = [
    ("JPEG", { SampleImage.jpeg(width: 640, height: 480) }), ("opaque PNG", { try png(isOpaque: true) }),
    ("PNG with alpha", { try png(isOpaque: false) }),
  ]

  @Test("They equal renditions of the whole image", arguments: [ImageFormat.jpeg, .png, .webp])
  func equalsWholeImage(format: ImageFormat) async throws {
    for source in Self.sources {
      let data = try source.data()
      for (index, ask) in Self.requests.enumerated() {
        let request = RenditionRequest(source: Rendering.source, options: ImageOptions(ask), format: format)
        let plan = try Self.banded.plan(for: request, source: data)
        #expect(plan.bands != nil, "\(source.name), request \(index)")
        let rendition = try await Rendering.render(data, with: Self.banded, as: format, ask)
        let expected = try await Rendering.render(data, with: Self.whole, as: format, ask)
        #expect(rendition.contentType == expected.contentType)
        if format == .png {
          let (image, other) = (try Rendering.image(rendition), try Rendering.image(expected))
          #expect(image.pixelBytes == other.pixelBytes, "\(source.name), request \(index)")
        } else {
          #expect(rendition.data == expected.data, "\(source.name), request \(index)")
        }
      }
    }
  }

  @Test("Requests that need all pixels of the source are rendered as a whole")
  func wholeImages() throws {
    let asks: [(inout ImageOptions) -> Void] = [
      { $0.rotation = 90 }, { $0.flipsHorizontally = true }, { $0.trim = .init(threshold: 1) },
      { ($0.width, $0.height, $0.resizing, $0.gravity) = (100, 100, .fill, .init(.smart)) },
    ]
    for ask in asks {
      let request = RenditionRequest(source: Rendering.source, options: ImageOptions(ask))
      #expect(try Self.banded.plan(for: request, source: Self.png(isOpaque: true)).bands == nil)
    }
  }

  @Test("The predicted memory of a large source is that of its bands")
  func memory() throws {
    let request = RenditionRequest(source: Rendering.source, options: ImageOptions(), format: .jpeg)
    let data = SampleImage.jpeg(width: 4_200, height: 4_000)
    let plan = try Renderer().plan(for: request, source: data)
    #expect(plan.bands?.transcoder != nil)
    #expect(plan.predictedByteCount < 16 << 20)
    let small = try Renderer().plan(for: request, source: SampleImage.jpeg(width: 420, height: 400))
    #expect(small.bands == nil)
  }

  @Test("A damaged source and a result that is too large cause the same errors as in one piece")
  func errors() async throws {
    let data = try Self.png(isOpaque: true)
    let cut = data.prefix(data.count * 2 / 3)
    for renderer in [Self.whole, Self.banded] {
      let error = await #expect(throws: ServingError.self) {
        try await Rendering.render(Data(cut), with: renderer, as: .jpeg)
      }
      guard case .notAnImage = error else { throw Unexpected(error) }
    }
    var limits = RenderLimits()
    limits.maximumResultBytes = 1_000
    var limited = Renderer(limits: limits)
    limited.leastPixelCountOfBands = 1
    let error = await #expect(throws: ServingError.self) {
      try await Rendering.render(data, with: limited, as: .png)
    }
    guard case .tooLarge = error else { throw Unexpected(error) }
  }
}
