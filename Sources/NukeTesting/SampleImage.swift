public import Foundation
public import Nuke

/// Reproducible images of any size, without equal neighboring pixels.
public enum SampleImage {
  /// Returns an image.
  ///
  /// - Parameters:
  ///   - width: the width in pixels, at least 1.
  ///   - height: the height in pixels, at least 1.
  ///   - scale: pixels per point.
  ///   - isOpaque: `false` to make the left half semitransparent.
  public static func bitmap(width: Int, height: Int, scale: CGFloat = 1, isOpaque: Bool = true) -> PlatformImage {
    PlatformImage(pixelWidth: max(width, 1), pixelHeight: max(height, 1), scale: scale, isOpaque: isOpaque) { bytes in
      var place = 0
      for y in 0..<max(height, 1) {
        for x in 0..<max(width, 1) {
          let alpha = isOpaque || x * 2 >= width ? 255 : 128
          for channel in [x * 7 + y * 3, x * 2 + y * 11, (x ^ y) * 5] {
            bytes[place] = UInt8((channel & 255) * alpha / 255)
            place += 1
          }
          bytes[place] = UInt8(alpha)
          place += 1
        }
      }
    } ?? PlatformImage()
  }

  /// Returns an opaque ``bitmap(width:height:scale:isOpaque:)`` as a JPEG file, which is lossy.
  public static func jpeg(width: Int, height: Int) -> Data {
    bitmap(width: width, height: height).jpegData(compressionQuality: 0.9) ?? Data()
  }

  /// Returns a ``bitmap(width:height:scale:isOpaque:)`` as a PNG file, which is lossless.
  public static func png(width: Int, height: Int, isOpaque: Bool = true) -> Data {
    bitmap(width: width, height: height, isOpaque: isOpaque).pngData() ?? Data()
  }
}
