public import Foundation
public import NukeImaging

extension Bitmap {
  /// The image in `data`, in whatever format it begins with, at one pixel a point; `nil` if it cannot be read.
  ///
  /// It is decoded now, on the caller's thread, within the default ``CodecLimits``. ``ImageReaders`` does the same and
  /// says why it failed.
  public convenience init?(data: Data) {
    guard let image = try? ImageReaders.reader(for: data).decode(DecodeOptions()), let buffer = image.buffer else {
      return nil
    }
    self.init(buffer, isOpaque: image.isOpaque)
  }

  /// The image as a PNG file, or `nil` if it is empty.
  ///
  /// Nothing is lost: read again, the pixels are the same.
  public func pngData() -> Data? {
    try? PNGWriter().encode(self)
  }

  /// The image as a JPEG file, or `nil` if it is empty or has a side of more than 65,500 pixels.
  ///
  /// JPEG has no transparency: what is not opaque is laid over white.
  ///
  /// - Parameter compressionQuality: from 0 (smallest) to 1 (best); values outside are clamped.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    try? JPEGWriter(quality: compressionQuality).encode(self)
  }
}
