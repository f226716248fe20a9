public import Foundation
public import Nuke

/// Small images of any size, the same at every run, in which no two neighboring pixels are equal.
public enum SampleImage {
  /// An image of colors that change from pixel to pixel.
  ///
  /// - Parameters:
  ///   - width: in pixels, at least 1.
  ///   - height: in pixels, at least 1.
  ///   - scale: pixels a point.
  ///   - isOpaque: whether there is no transparent pixel; else the left half is transparent by half.
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

  /// The opaque ``bitmap(width:height:scale:isOpaque:)`` as a JPEG file, which is not without loss.
  public static func jpeg(width: Int, height: Int) -> Data {
    bitmap(width: width, height: height).jpegData(compressionQuality: 0.9) ?? Data()
  }

  /// A ``bitmap(width:height:scale:isOpaque:)`` as a PNG file; decoded, it has the same pixels.
  public static func png(width: Int, height: Int, isOpaque: Bool = true) -> Data {
    bitmap(width: width, height: height, isOpaque: isOpaque).pngData() ?? Data()
  }
}
