/// Limits that are checked against an image's header before memory is allocated.
///
/// A drawing states a size too, but can be drawn at any other: see ``ImageReader/isVector``. The limits apply to the size
/// at which it is drawn.
public struct CodecLimits: Sendable, Hashable, Codable {
  /// The maximum number of pixels of an image, or of the canvas of an animated one.
  public var maximumPixelCount: Int
  /// The maximum side in pixels.
  public var maximumSide: Int
  /// The maximum number of frames of an animated image.
  public var maximumFrameCount: Int

  /// Creates limits. The defaults are 100 megapixels, 16,384 pixels per side and 10,000 frames.
  public init(maximumPixelCount: Int = 100_000_000, maximumSide: Int = 16_384, maximumFrameCount: Int = 10_000) {
    self.maximumPixelCount = maximumPixelCount
    self.maximumSide = maximumSide
    self.maximumFrameCount = maximumFrameCount
  }

  /// No limits, for reading headers: limits are enforced when an image is decoded, not when it is inspected.
  package static let unlimited = CodecLimits(maximumPixelCount: .max, maximumSide: .max, maximumFrameCount: .max)

  /// The limits of the size that a drawing states, which can be large. The bytes of all its layers can be counted.
  package static let statedByDrawing = CodecLimits(
    maximumPixelCount: Int.max / 64 / DecodeWork.levels.limit, maximumSide: .max, maximumFrameCount: .max)

  /// Throws if an image of `width` x `height` pixels is empty or exceeds a limit.
  package func check(_ format: ImageFormat, width: Int, height: Int) throws(CodecError) {
    guard width > 0, height > 0 else {
      throw .malformed(format, reason: "the header states a size of \(width)x\(height)", offset: nil)
    }
    guard max(width, height) <= maximumSide else {
      throw .tooLarge(format, width: width, height: height, limit: .side(maximumSide))
    }
    // The bytes of all buffers can be counted: a pixel takes at most 16 bytes in each.
    let limit = min(maximumPixelCount, Int.max / 64)
    let (pixelCount, isBeyondCounting) = width.multipliedReportingOverflow(by: height)
    guard !isBeyondCounting, pixelCount <= limit else {
      throw .tooLarge(format, width: width, height: height, limit: .pixelCount(limit))
    }
  }

  package func check(_ format: ImageFormat, frameCount: Int) throws(CodecError) {
    guard frameCount <= maximumFrameCount else {
      throw .tooManyFrames(format, count: frameCount, limit: maximumFrameCount)
    }
  }
}
