public import Foundation
public import NukeImaging

extension PlatformImage {
  /// Returns the image scaled to a size in pixels, keeping its proportions, without a pipeline.
  ///
  /// ```swift
  /// let image = try PlatformImage(decoding: upload).resized(to: CGSize(width: 1600, height: 1600))
  /// ```
  ///
  /// It resizes like ``ImageProcessors/Resize``, on the calling thread and, for a large image, on idle processors. An image
  /// that has the size already is returned as it is.
  ///
  /// - Parameters:
  ///   - size: the size in pixels.
  ///   - contentMode: `.aspectFit` to fit into the size, `.aspectFill` to fill it.
  ///   - crop: with `.aspectFill`, `true` to cut off what exceeds the size.
  ///   - upscale: `true` to enlarge smaller images.
  /// - Throws: ``ImageProcessors/SizeError`` if the image is empty, if a side is not a positive number, or if the result
  ///   would have more than 100 megapixels. ``ImageProcessingError/unknown`` if memory cannot be allocated.
  public func resized(
    to size: CGSize, contentMode: ImageProcessingOptions.ContentMode = .aspectFit, crop: Bool = false,
    upscale: Bool = false
  ) throws -> PlatformImage {
    try ImageProcessors.Resize(size: size, unit: .pixels, contentMode: contentMode, crop: crop, upscale: upscale)
      .resize(self)
  }
}
