public import Foundation
public import NukeImaging

extension Bitmap {
  /// Creates an image from encoded data in any supported format, with one pixel per point. Returns `nil` if the data
  /// cannot be decoded.
  ///
  /// The image is decoded on the calling thread, within the default ``CodecLimits``. ``ImageReaders`` does the same and
  /// throws errors.
  public convenience init?(data: Data) {
    guard let image = try? ImageReaders.reader(for: data).decode(DecodeOptions()), let buffer = image.buffer else {
      return nil
    }
    self.init(buffer, isOpaque: image.isOpaque)
  }

  /// Returns the image as a PNG file; `nil` if the image is empty.
  ///
  /// The encoding is lossless.
  public func pngData() -> Data? {
    try? PNGWriter().encode(self)
  }

  /// Returns the image as a JPEG file; `nil` if it is empty or has a side of more than 65,500 pixels.
  ///
  /// JPEG has no transparency: transparent pixels are blended over white.
  ///
  /// - Parameter compressionQuality: from 0 (smallest file) to 1 (best quality). Values outside are clamped.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    try? JPEGWriter(quality: compressionQuality).encode(self)
  }
}
