public import Foundation
public import NukeImaging

/// Writes still and animated GIF images with our own encoder.
///
/// A frame with up to ``maximumColorCount`` colors keeps them exactly. For other frames, colors are chosen for each
/// frame by dividing the color space where the squared error is largest, optionally with dithering. GIF has no partial
/// transparency: pixels with an alpha below one half are transparent, and all others are opaque.
///
/// Only the changes between frames are written. Delays are in hundredths of a second, at least two, because readers
/// replace shorter ones with a tenth. They are rounded so that the sum stays correct. The maximum number of loops is
/// 65,536.
public struct GIFWriter: ImageWriter, AnimationWriter {
  public static var format: ImageFormat { .gif }

  /// The maximum number of colors of a frame, 2...256, including the one for transparent pixels.
  public let maximumColorCount: Int
  /// A Boolean value that indicates whether colors that the palette lacks are dithered (Floyd-Steinberg). Without
  /// dithering, files are smaller.
  public let isDithered: Bool

  /// Creates a writer. The number of colors is clamped to its range.
  public init(maximumColorCount: Int = 256, isDithered: Bool = true) {
    self.maximumColorCount = min(max(maximumColorCount, 2), 256)
    self.isDithered = isDithered
  }

  public init(_ options: EncodeOptions) {
    self.init(maximumColorCount: options.maximumColorCount ?? 256, isDithered: options.isDithered)
  }

  /// Encodes an image. A side can have at most 65,535 pixels.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    try Self.format.checkWritable(width: image.pixelWidth, height: image.pixelHeight, maximumSide: Self.maximumSide)
    let pixels = try GIFPixels(image)
    var frames = GIFFrameWriter(writer: self, first: pixels, loopCount: nil)
    frames.append(pixels, delay: 0, next: nil)
    return frames.finished()
  }

  /// Encodes an animated image. Three frames at a time are in memory, besides the file. A side can have at most 65,535
  /// pixels.
  public func encode(_ animation: Animation) throws -> Data {
    let frames = try CheckedFrames(animation, .gif, maximumSide: Self.maximumSide)
    let first = try frames.first()
    var (pixels, delay) = (try GIFPixels(first.image), first.delay)
    var output = GIFFrameWriter(writer: self, first: pixels, loopCount: animation.loopCount(atMost: 65_536))
    var clock = DelayClock()
    while true {
      let next = try frames.next()
      let nextPixels = try next.map { try GIFPixels($0.image) }
      output.append(pixels, delay: clock.hundredths(delay), next: nextPixels)
      guard let next, let nextPixels else { return output.finished() }
      (pixels, delay) = (nextPixels, next.delay)
    }
  }

  private static let maximumSide = 65_535
}

/// Rounds delays and carries the rounding error over to the next one.
private struct DelayClock {
  /// The rounding error so far, in hundredths of a second.
  private var owed = 0.0

  mutating func hundredths(_ delay: TimeInterval) -> Int {
    let wanted = max(2, min(delay.isFinite ? delay * 100 : 0, 65_535))
    owed += wanted
    let given = max(2, min(owed.rounded(), 65_535))
    owed -= given
    return Int(given)
  }
}
