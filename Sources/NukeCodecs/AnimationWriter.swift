public import Foundation
public import NukeImaging

/// Writes animated images in one format: ``GIFWriter`` and ``WebPWriter`` do.
public protocol AnimationWriter: Sendable {
  static var format: ImageFormat { get }

  /// The encoded file of all frames, with their delays and the count of loops.
  ///
  /// Frames are pulled one by one: of long ones a few are in memory at a time, and the file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` where there is no frame, frames differ in size or are too large
  ///   for the format; and whatever pulling a frame throws.
  func encode(_ animation: Animation) throws -> Data
}
