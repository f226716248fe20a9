import Foundation
public import NukeImaging

extension PlatformImage {
  /// Returns the image with all of its colors replaced by `color`, keeping the transparency of each pixel. Returns the
  /// image itself if memory cannot be allocated.
  ///
  /// The result is computed on the calling thread, at about a nanosecond per pixel. Use it for small images such as
  /// icons.
  public func withTintColor(_ color: PlatformColor) -> PlatformImage {
    // The premultiplied color for each possible alpha, rounded to the nearest value.
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
