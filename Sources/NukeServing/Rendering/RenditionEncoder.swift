import Foundation
import NukeCodecs
import NukeImaging

/// Encodes the image of a request in one format.
struct RenditionEncoder: Sendable {
  let format: ImageFormat
  /// The options, with the quality to try first.
  var options: EncodeOptions
  /// The maximum size of the file in bytes, reached by lower quality if possible; `nil` for no limit.
  var maximumByteCount: Int?

  /// Returns the encoded file. If there is a maximum size, searches for a quality by bisection, in at most seven
  /// attempts. If the file is too large even at the lowest quality, returns that file.
  ///
  /// - Parameter isCancelled: called before each attempt.
  func encode(_ image: Bitmap, isCancelled: () -> Bool) throws(CodecError) -> Data {
    let best = try writer(quality: options.quality).encode(image)
    guard let maximumByteCount, best.count > maximumByteCount, format.hasQuality, !options.isLossless else {
      return best
    }
    var smallest = best
    var fitting: Data?
    // The range of qualities that is left to search, in percent.
    var (low, high) = (1, Int((options.quality * 100).rounded()) - 1)
    while low <= high {
      if isCancelled() { throw .cancelled(format) }
      let middle = (low + high) / 2
      let data = try writer(quality: Double(middle) / 100).encode(image)
      if data.count <= maximumByteCount {
        fitting = data
        low = middle + 1
      } else {
        high = middle - 1
        if data.count <= smallest.count { smallest = data }
      }
    }
    return fitting ?? smallest
  }

  /// Returns the file with all frames; `nil` if the format is not animated.
  func encode(_ animation: Animation) throws -> Data? {
    try (try writer(quality: options.quality) as? any AnimationWriter)?.encode(animation)
  }

  private func writer(quality: Double) throws(CodecError) -> any ImageWriter {
    var options = options
    options.quality = quality
    return try ImageWriters.writer(for: format, options: options)
  }
}

extension ImageFormat {
  /// `true` if a lower quality produces smaller files.
  fileprivate var hasQuality: Bool { [.jpeg, .webp, .avif, .jxl].contains(self) }
}
