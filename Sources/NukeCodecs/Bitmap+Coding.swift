public import Foundation
public import NukeImaging

extension Bitmap {
  /// Creates an image from encoded data in any supported format, with one pixel per point. Returns `nil` if the data
  /// cannot be decoded.
  ///
  /// The image is decoded on the calling thread, within the default ``CodecLimits``. ``init(decoding:limits:)`` does the
  /// same and throws errors.
  public convenience init?(data: Data) {
    do { try self.init(decoding: data) } catch { return nil }
  }

  /// Creates an image from encoded data in any supported format, such as an upload, with one pixel per point.
  ///
  /// ```swift
  /// let image = try PlatformImage(decoding: upload)
  /// ```
  ///
  /// The limits are compared with the header of the file before memory for pixels is allocated. The first frame of an
  /// animated image is decoded, and the orientation and the color profile are applied. The image is decoded on the
  /// calling thread; four bytes are needed for each of its pixels, and some more while it is decoded.
  ///
  /// - Parameters:
  ///   - data: the contents of a file.
  ///   - limits: the maximum size of the image. The default is 100 megapixels and 16,384 pixels a side.
  /// - Throws: ``CodecError``: the format is not known or not supported, the data is damaged or truncated, or the image
  ///   exceeds the limits.
  public convenience init(decoding data: Data, limits: CodecLimits = CodecLimits()) throws(CodecError) {
    let reader = try ImageReaders.reader(for: data, limits: limits)
    let image = try reader.decode(DecodeOptions())
    guard let buffer = image.buffer else {
      throw .malformed(reader.header.format, reason: "the image has no pixels", offset: nil)
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
