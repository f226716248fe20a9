public import Foundation
public import NukeImaging

/// Writes animated images in one format: ``GIFWriter``, ``PNGWriter`` and ``WebPWriter``, and with package traits
/// `AVIFWriter` and `JXLWriter`.
public protocol AnimationWriter: Sendable {
  static var format: ImageFormat { get }

  /// Encodes all frames with their delays and the loop count.
  ///
  /// Frames are decoded one by one, so only a few are in memory at a time, besides the file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if there are no frames, or frames differ in size or are too
  ///   large for the format. Errors of decoding a frame are rethrown.
  func encode(_ animation: Animation) throws -> Data
}

extension Animation {
  /// Returns `true` if every frame is opaque. Decodes the frames up to the first that is not.
  func isOpaque() throws -> Bool {
    let frames = try frames()
    while let frame = try frames.next() {
      if !frame.image.isOpaque { return false }
    }
    return true
  }

  /// Returns the loop count, or the largest that a format can store.
  func loopCount(atMost limit: Int) -> Int { min(max(loopCount, 0), limit) }
}
