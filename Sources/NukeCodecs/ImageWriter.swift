public import Foundation
public import NukeImaging

/// Writes pictures in one format. Each format that can be written has one: ``JPEGWriter``, ``PNGWriter``,
/// ``WebPWriter``, ``GIFWriter``.
public protocol ImageWriter: Sendable {
  static var format: ImageFormat { get }

  /// The encoded file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty picture or one too large for the format.
  func encode(_ image: Bitmap) throws(CodecError) -> Data
}
