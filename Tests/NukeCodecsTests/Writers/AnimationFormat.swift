import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A format with a writer of animated images, and what it can store.
struct AnimationFormat: Sendable, CustomTestStringConvertible {
  let format: ImageFormat
  /// Writes every pixel exactly, of frames with few colors.
  let exact: any AnimationWriter
  /// A writer with a quality from 0 to 1; `nil` if the format has none.
  var lossy: (@Sendable (Double) -> any AnimationWriter)?
  /// The largest number of loops that is stored; `nil` if none is.
  var maximumLoopCount: Int?
  /// The delays that are read after writing 0.04, 0.1, 0.5, 0.0334 and 2 seconds.
  var delays = [0.04, 0.1, 0.5, 0.033, 2.001]
  /// The delay that is read after writing ten million seconds; `nil` if it is an error.
  var longDelay: Double?
  /// The smallest side that is too large; `nil` if it needs more memory than a test may use.
  var largeSide: Int?
  var hasPartialTransparency = true
  var hasMetadata = true

  var testDescription: String { format.displayName }

  static let all: [AnimationFormat] = {
    var all = [
      AnimationFormat(
        format: .gif, exact: GIFWriter(), maximumLoopCount: 65_536, delays: [0.04, 0.1, 0.5, 0.03, 2],
        longDelay: 655.35, largeSide: 65_536, hasPartialTransparency: false, hasMetadata: false),
      AnimationFormat(
        format: .png, exact: PNGWriter(), maximumLoopCount: Int(Int32.max), delays: [0.04, 0.1, 0.5, 0.0334, 2],
        longDelay: 65_535),
      AnimationFormat(
        format: .webp, exact: WebPWriter(isLossless: true), lossy: { WebPWriter(quality: $0) },
        maximumLoopCount: 65_535, largeSide: 16_384),
    ]
    #if AVIF
      // libavif stores the number of loops since version 1.0 only.
      if AVIFWriter.isAvailable {
        all.append(
          AnimationFormat(
            format: .avif, exact: AVIFWriter(isLossless: true), lossy: { AVIFWriter(quality: $0) },
            largeSide: 65_536))
      }
    #endif
    #if JPEGXL
      all.append(
        AnimationFormat(
          format: .jxl, exact: JXLWriter(isLossless: true), lossy: { JXLWriter(quality: $0) },
          maximumLoopCount: Int(UInt32.max)))
    #endif
    return all
  }()

  static let withQuality = all.filter { $0.lossy != nil }

  func read(_ data: Data) throws -> Animation {
    #expect(ImageFormat(sniffing: data) == format)
    return try #require(try ImageReaders.reader(for: data).animation())
  }

  /// Frames with waves that move: opaque, or with every alpha except in the first frame. Without partial transparency,
  /// pixels are transparent or opaque. Each frame has at most 240 colors.
  func frames(_ count: Int, isOpaque: Bool) throws -> [Bitmap] {
    try (0..<count).map { step in
      try .drawn(40, 30, isOpaque: isOpaque || step == 0) { x, y in
        var alpha = isOpaque || step == 0 ? 255 : (x * 6 + y * 3 + step * 20) % 256
        if !hasPartialTransparency { alpha = alpha < 128 ? 0 : 255 }
        return Bitmap.premultiplied(x / 4 * 24, y / 2 * 16, step * 30, alpha: alpha)
      }
    }
  }
}
