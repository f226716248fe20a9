import NukeImaging
import Testing

extension Bitmap {
  /// An image of the premultiplied colors that `color` gives.
  static func drawn(
    _ width: Int, _ height: Int, isOpaque: Bool = false, _ color: (_ x: Int, _ y: Int) -> SIMD4<UInt8>
  ) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { bytes in
        for pixel in 0..<width * height {
          let color = color(pixel % width, pixel / width)
          for channel in 0..<4 { bytes[pixel * 4 + channel] = color[channel] }
        }
      })
  }

  /// Waves, either opaque or with every alpha and every color that alpha allows somewhere.
  static func waves(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
    try drawn(width, height, isOpaque: opaque) { x, y in
      premultiplied(x * 5, y * 11, x + y * 2, alpha: opaque ? 255 : (x * 7 + y * 3) % 256)
    }
  }

  /// One color, either opaque or under every alpha in turn.
  static func fading(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
    try drawn(width, height, isOpaque: opaque) { x, y in
      premultiplied(200, 120, 40, alpha: opaque ? 255 : min((y * width + x) / 8, 255))
    }
  }

  /// The remainders of colors by 256 under an alpha of at most 255, rounded down.
  static func premultiplied(_ red: Int, _ green: Int, _ blue: Int, alpha: Int) -> SIMD4<UInt8> {
    func channel(_ color: Int) -> UInt8 { UInt8(color % 256 * alpha / 255) }
    return SIMD4(channel(red), channel(green), channel(blue), UInt8(alpha))
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
