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

  /// Returns the file. If it exceeds ``maximumByteCount``, finds the highest quality that fits by bisection, in at
  /// most seven attempts. If none fits, returns the smallest file.
  ///
  /// - Parameter isCancelled: is called before each attempt.
  func encode(_ image: Bitmap, isCancelled: () -> Bool) throws(CodecError) -> Data {
    let best = try writer(quality: options.quality).encode(image)
    guard let maximumByteCount, best.count > maximumByteCount, format.hasQuality, !options.isLossless else {
      return best
    }
    var smallest = best
    var fitting: Data?
    // In hundredths: the first is known to be too large, or not known; what is below the range fits.
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

  /// Returns the file of all frames; `nil` if the format has no animations.
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
  /// `true` if lower quality makes smaller files.
  fileprivate var hasQuality: Bool { [.jpeg, .webp, .avif, .jxl].contains(self) }
}
