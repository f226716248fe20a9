import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Tint colors")
@MainActor struct TintColorTests {
  /// Three pixels: opaque, transparent by half, and not there.
  let stencil = PlatformImage(pixelWidth: 3, pixelHeight: 1, scale: 2) { bytes in
    bytes.copyBytes(from: [200, 100, 50, 255, 20, 30, 40, 128, 0, 0, 0, 0] as [UInt8])
  }!

  @Test("A tint replaces all colors and keeps the transparency")
  func opaque() {
    let tinted = stencil.withTintColor(Color(red: 1, green: 0.5, blue: 0))
    #expect(tinted.pixels == [255, 128, 0, 255, 128, 64, 0, 128, 0, 0, 0, 0])
    #expect(tinted.scale == 2 && !tinted.isOpaque)
  }

  @Test("A transparent tint makes the image more transparent")
  func transparent() {
    let tinted = stencil.withTintColor(Color(white: 1, alpha: 0.5))
    #expect(tinted.pixels == [128, 128, 128, 128, 64, 64, 64, 64, 0, 0, 0, 0])
    let opaque = SampleImage.bitmap(width: 2, height: 2)
    #expect(opaque.withTintColor(.red).isOpaque)
    #expect(!opaque.withTintColor(Color(white: 0, alpha: 0.5)).isOpaque)
  }

  @Test("An empty image is unchanged")
  func empty() {
    #expect(PlatformImage().withTintColor(.red).pixels.isEmpty)
  }

  @Test("A simple view receives the tinted image")
  func plainView() {
    final class View: Nuke_ImageDisplaying {
      var image: PlatformImage?
      func nuke_display(image: PlatformImage?, data: Data?) { self.image = image }
    }
    let view = View()
    let container = ImageContainer(image: stencil)
    view.display(ImagePresentation(container: container, phase: .success, tintColor: .blue))
    #expect(view.image?.pixels.prefix(4) == [0, 0, 255, 255])
    view.display(ImagePresentation(container: container, phase: .success))
    #expect(view.image === stencil)
    view.display(ImagePresentation(container: nil, phase: .placeholder, tintColor: .blue))
    #expect(view.image == nil)
  }
}
