import Foundation
import NukeCodecs
import NukeImaging

/// Writes images in one format, as a request says.
struct RenditionEncoder: Sendable {
  let format: ImageFormat
  /// The quality, from 0 to 1.
  let quality: Double
  var isLossless = false
  var writesProgressiveJPEG = false
  /// The most bytes, met by lower quality as far as that goes; `nil` for no limit.
  var maximumByteCount: Int?
  /// The metadata to write.
  var metadata = ImageMetadata()
  var keptMetadata: ImageMetadata.Parts = []

  /// The file. Where it is to be of few bytes, qualities are tried by halving, seven at most; one that is too large still at
  /// the least quality is given all the same.
  ///
  /// - Parameter isCancelled: asked before each try.
  func encode(_ image: Bitmap, isCancelled: () -> Bool) throws(CodecError) -> Data {
    let best = try writer(quality: quality).encode(image)
    guard let maximumByteCount, best.count > maximumByteCount, format.hasQuality, !isLossless else { return best }
    var smallest = best
    var fitting: Data?
    // In hundredths: the first is known to be too large, or not known; what is below the range fits.
    var (low, high) = (1, Int((quality * 100).rounded()) - 1)
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

  /// The file of all frames; `nil` if the format has but one.
  func encode(_ animation: Animation) throws -> Data? {
    try (try writer(quality: quality) as? any AnimationWriter)?.encode(animation)
  }

  private func writer(quality: Double) throws(CodecError) -> any ImageWriter {
    if format == .jpeg {
      // What is still transparent lies over white.
      var writer = JPEGWriter(quality: quality, isProgressive: writesProgressiveJPEG)
      writer.metadata = metadata.keeping(keptMetadata)
      return writer
    }
    var options = EncodeOptions(quality: quality, isLossless: isLossless)
    options.metadata = metadata
    options.keptMetadata = keptMetadata
    return try ImageWriters.writer(for: format, options: options)
  }
}

extension ImageFormat {
  /// `true` if lower quality makes smaller files.
  fileprivate var hasQuality: Bool { [.jpeg, .webp, .avif, .jxl].contains(self) }
}
