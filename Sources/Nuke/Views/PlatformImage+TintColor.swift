import Foundation
public import NukeImaging

extension PlatformImage {
  /// The image as a stencil: every pixel has `color`, and as much of it as the pixel was opaque. The image itself where
  /// memory is short.
  ///
  /// It is computed on the calling thread, at about a nanosecond a pixel, so it is for icons.
  public func withTintColor(_ color: PlatformColor) -> PlatformImage {
    // Of each alpha that a pixel may have: premultiplied, rounded to the nearest.
    let table = (0...255).map { alpha in
      let opacity = Double(alpha) * color.alpha
      return [color.red * opacity, color.green * opacity, color.blue * opacity, opacity].map {
        UInt8(min(255, max(0, $0.rounded())))
      }
    }.map { SIMD4<UInt8>($0[0], $0[1], $0[2], $0[3]) }
    return PlatformImage(
      pixelWidth: pixelWidth, pixelHeight: pixelHeight, scale: scale, isOpaque: isOpaque && color.alpha >= 1
    ) { output in
      withUnsafeBytes { input in
        table.withUnsafeBufferPointer { table in
          for place in stride(from: 0, to: input.count, by: 4) {
            output.storeBytes(of: table[Int(input[place + 3])], toByteOffset: place, as: SIMD4<UInt8>.self)
          }
        }
      }
    } ?? self
  }
}
