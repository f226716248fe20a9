import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("What decides about files besides requests")
struct RendererIdentifierTests {
  @Test("differs for renderers whose files differ")
  func differs() {
    let settings: [(inout RenderSettings) -> Void] = [
      { _ in }, { $0.qualities[.jpeg] = 81 }, { $0.qualities[.png] = 80 }, { $0.writesProgressiveJPEG = true },
      { $0.stripsMetadata = false }, { $0.keepsCopyright = false }, { $0.keepsLocation = true }, { $0.sendsSVG = true },
    ]
    var identifiers = settings.map { change in
      var settings = RenderSettings()
      change(&settings)
      return Renderer(settings: settings).identifier
    }
    var limits = RenderLimits()
    limits.maximumAnimationFrames = 3
    identifiers.append(Renderer(limits: limits).identifier)
    limits.maximumAnimationPixels = 3
    identifiers.append(Renderer(limits: limits).identifier)
    let picture = SampleImage.bitmap(width: 2, height: 2)
    for watermark in [
      Watermark(image: picture, id: "a"), Watermark(image: picture, id: "b"),
      Watermark(image: picture, id: "a", opacity: 0.5),
    ] { identifiers.append(Renderer(watermark: watermark).identifier) }
    #expect(Set(identifiers).count == identifiers.count)
    #expect(Renderer().identifier == Renderer().identifier)
  }
}
