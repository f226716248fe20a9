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
    try Self.check(width: image.pixelWidth, height: image.pixelHeight)
    let pixels = try GIFPixels(image)
    var frames = GIFFrameWriter(writer: self, first: pixels, loopCount: nil)
    frames.append(pixels, delay: 0, next: nil)
    return frames.finished()
  }

  /// Encodes an animated image. Three frames at a time are in memory, besides the file. A side can have at most 65,535
  /// pixels.
  public func encode(_ animation: Animation) throws -> Data {
    try Self.check(width: animation.pixelWidth, height: animation.pixelHeight)
    let frames = try animation.frames()
    func next() throws -> (pixels: GIFPixels, delay: TimeInterval)? {
      guard let frame = try frames.next() else { return nil }
      guard frame.image.pixelWidth == animation.pixelWidth, frame.image.pixelHeight == animation.pixelHeight else {
        throw CodecError.encodingFailed(.gif, reason: "frame \(frame.index) and the first frame have different sizes")
      }
      return (try GIFPixels(frame.image), frame.delay)
    }
    guard var current = try next() else { throw CodecError.encodingFailed(.gif, reason: "there is no frame") }
    var output = GIFFrameWriter(writer: self, first: current.pixels, loopCount: animation.loopCount)
    var clock = DelayClock()
    while true {
      let following = try next()
      output.append(current.pixels, delay: clock.hundredths(current.delay), next: following?.pixels)
      guard let following else { return output.finished() }
      current = following
    }
  }

  private static func check(width: Int, height: Int) throws(CodecError) {
    guard width > 0, height > 0 else { throw .encodingFailed(.gif, reason: "the image is empty") }
    guard max(width, height) <= 65_535 else {
      throw .encodingFailed(.gif, reason: "\(width)x\(height) pixels: a side can have at most 65535 pixels")
    }
  }
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
