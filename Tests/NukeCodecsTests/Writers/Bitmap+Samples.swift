import NukeImaging
import Testing

extension Bitmap {
  /// Waves, either opaque or with every alpha and every color that alpha allows somewhere.
  static func waves(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: opaque) { bytes in
        for y in 0..<height {
          for x in 0..<width {
            let alpha = opaque ? 255 : (x * 7 + y * 3) % 256
            let pixel = (y * width + x) * 4
            for (channel, color) in [x * 5, y * 11, x + y * 2].enumerated() {
              bytes[pixel + channel] = UInt8(color % 256 * alpha / 255)
            }
            bytes[pixel + 3] = UInt8(alpha)
          }
        }
      })
  }

  /// One color, either opaque or under every alpha in turn.
  static func fading(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: opaque) { bytes in
        for pixel in 0..<width * height {
          let alpha = opaque ? 255 : min(pixel / 8, 255)
          for (channel, color) in [200, 120, 40].enumerated() {
            bytes[pixel * 4 + channel] = UInt8(color * alpha / 255)
          }
          bytes[pixel * 4 + 3] = UInt8(alpha)
        }
      })
  }
}

/// An image of random premultiplied pixels with every alpha.
func randomImage(width: Int, height: Int, isOpaque: Bool, isGray: Bool = false) throws -> Bitmap {
  var random = SplitMix64(state: 5)
  return try #require(
    Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = isOpaque ? 255 : UInt8(truncatingIfNeeded: offset / 4)
        for channel in 0..<3 {
          bytes[offset + channel] = isGray && channel > 0 ? bytes[offset] : UInt8.random(in: 0...alpha, using: &random)
        }
        bytes[offset + 3] = alpha
      }
    })
}
