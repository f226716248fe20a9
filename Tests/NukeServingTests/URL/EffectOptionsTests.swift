import Foundation
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Options for the look of an image in URLs")
struct EffectOptionsTests {
  @Test("Colors are three numbers or hexadecimal digits, and their alpha may precede them")
  func colors() throws {
    let teal = Color(red: 0, green: 128.0 / 255, blue: 1)
    #expect(try options("bg:0:128:255").background == teal)
    #expect(try options("bg:0080ff").background == teal)
    #expect(try options("bg:0F0").background == .green)
    #expect(try options("bga:0.5/bg:0080FF").background == teal.withAlphaComponent(0.5))
    #expect(try options("bg:0F0/bg:").background == nil)
  }

  @Test("Effects are parsed")
  func effects() throws {
    #expect(
      try options("bl:1.5/sh:0.7/pix:8/a:20:1.5:0.2")
        == ImageOptions {
          $0.blur = 1.5
          $0.sharpen = 0.7
          $0.pixelate = 8
          $0.brightness = 20
          $0.contrast = 1.5
          $0.saturation = 0.2
        })
    #expect(
      try options("wm:0.5:soea:10:-0.1:0.2").watermark
        == .init(opacity: 0.5, position: .at(.southEast), offset: .init(10, -0.1), scale: 0.2))
    #expect(try options("wm:1:re").watermark?.position == .repeated)
    #expect(try options("wm:1:ch").watermark?.position == .chessboard)
    #expect(try options("wm:0").watermark == nil)
  }

  @Test("Palettes, colors and gradients are parsed, with imgproxy's defaults")
  func overlays() throws {
    let teal = Color(red: 0, green: 128.0 / 255, blue: 1)
    #expect(try options("mc:0.5").monochrome == .init(intensity: 0.5, color: Color(white: 179.0 / 255)))
    #expect(try options("monochrome:1:0080ff").monochrome == .init(intensity: 1, color: teal))
    #expect(try options("dt:1").duotone == .init(intensity: 1, dark: .black, light: .white))
    #expect(try options("duotone:0.2:f00:0080ff").duotone == .init(intensity: 0.2, dark: .red, light: teal))
    #expect(try options("col:0.7").colorize == .init(opacity: 0.7, color: .black, keepsAlpha: false))
    #expect(try options("colorize:1:f00:t").colorize == .init(opacity: 1, color: .red, keepsAlpha: true))
    #expect(
      try options("gr:0.5").gradient == .init(opacity: 0.5, color: .black, angle: 0, start: 0, stop: 1))
    #expect(
      try options("gradient:0.5:f00:33.5:0.25:0.75").gradient
        == .init(opacity: 0.5, color: .red, angle: 33.5, start: 0.25, stop: 0.75))
    let angles = ["down": 0.0, "left": 90, "up": 180, "right": 270, "-90": 270, "450": 90, "360": 0]
    for (text, angle) in angles { #expect(try options("gr:1::\(text)").gradient?.angle == angle, "\(text)") }
    #expect(try options("mc:1/mc:0/dt:1/dt:/col:1/col:0:f00/gr:1/gr:0") == ImageOptions())
    for text in ["mc:1.1", "mc:1:red", "dt:1:f00:0f0:00f", "col:-1", "gr:1:f00:north", "gr:1::0:-1", "gr:1::0:0:2"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Unsharp masking is parsed, and has the defaults of imgproxy's settings")
  func unsharpMask() throws {
    #expect(try options("ush:always").unsharpMask == .init(.always, weight: 1, divider: 24))
    #expect(try options("unsharp_masking:none:2:12.5").unsharpMask == .init(.none, weight: 2, divider: 12.5))
    #expect(try options("ush::2").unsharpMask == .init(.auto, weight: 2, divider: 24))
    #expect(try options("ush:always/ush:").unsharpMask == nil)
    for text in ["ush:on", "ush:always:0", "ush:always:1:0", "ush:always:1:1:1"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Areas to blur are groups of four fractions")
  func blurAreas() throws {
    let (one, two) = (
      ImageOptions.BlurAreas.Area(x: 0.1, y: 0.2, width: 0.3, height: 0.4),
      ImageOptions.BlurAreas.Area(x: 0, y: 0, width: 1, height: 0.5)
    )
    #expect(try options("ba:5:0.1:0.2:0.3:0.4").blurAreas == .init(sigma: 5, areas: [one]))
    #expect(
      try options("blur_areas:5:0.1:0.2:0.3:0.4:0:0:1:0.5").blurAreas == .init(sigma: 5, areas: [one, two]))
    #expect(try options("ba:5:0:0:1:1/ba:").blurAreas == nil && options("ba:0:0:0:1:1").blurAreas == nil)
    #expect(try options("ba:5").blurAreas == nil)
    let most = String(repeating: ":0:0:1:1", count: 64)
    #expect(try options("ba:5" + most).blurAreas?.areas.count == 64)
    for text in [
      "ba:5:0:0:1", "ba:5:0:0:1:1:0", "ba:5:0:0:1:0", "ba:5:0:0:2:1", "ba:-1:0:0:1:1", "ba:5:0:0:1:1" + most,
    ] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }
}
