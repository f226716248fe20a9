import Foundation
import Nuke
import NukeCodecs
import NukeImaging
import NukeServing

/// An image to render.
enum SampleImages {
  static func all(photo: Data) -> [(name: String, source: Data, options: ImageOptions, format: ImageFormat)] {
    [
      ("12 MP JPEG to 320x240", photo, fill(320, 240), .jpeg),
      ("64x64 PNG to 32x32", image(64, 64).pngData() ?? Data(), fill(32, 32), .png),
    ]
  }

  private static func fill(_ width: Int, _ height: Int) -> ImageOptions {
    var options = ImageOptions()
    (options.resizing, options.width, options.height) = (.fill, width, height)
    return options
  }

  /// An image of 4000 x 3000 pixels, with as much detail as a photograph.
  static var photo: Data { image(4000, 3000).jpegData(compressionQuality: 0.85) ?? Data() }

  private static func image(_ width: Int, _ height: Int) -> PlatformImage {
    var state: UInt64 = 7
    return PlatformImage(pixelWidth: width, pixelHeight: height, isOpaque: true) { pixels in
      var place = 0
      for y in 0..<height {
        for x in 0..<width {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let noise = Int(state >> 60)
          for channel in 0..<3 {
            let wave = sin(Double(x * (channel + 1)) / 90) * cos(Double(y) / (40 + 20 * Double(channel)))
            pixels[place + channel] = UInt8(clamping: Int(120 + 90 * wave) + noise)
          }
          pixels[place + 3] = 255
          place += 4
        }
      }
    } ?? PlatformImage()
  }
}
