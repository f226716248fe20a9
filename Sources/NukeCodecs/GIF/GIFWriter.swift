public import Foundation
public import NukeImaging

/// Writes GIF images, still and moving, by an encoder of our own.
///
/// A frame of up to ``maximumColorCount`` colors keeps them exactly. Of others the colors are chosen anew for each
/// frame, by dividing them where the squared error is greatest, and what lies between them may be dithered. GIF knows
/// no half-transparent pixels: those with an alpha below one half are not shown, and all others are opaque.
///
/// Of an animated image only what changes from frame to frame is written. Delays are hundredths of a second, at least
/// two, since readers take shorter ones for a tenth; they are rounded so that the sum stays right. There may be 65,536
/// loops.
public struct GIFWriter: ImageWriter, AnimationWriter {
  public static var format: ImageFormat { .gif }

  /// The most colors of a frame, 2...256, among them the one for transparent pixels.
  public let maximumColorCount: Int
  /// A Boolean value that indicates whether colors between those of the palette are mixed of pixels (Floyd-Steinberg).
  /// Without it files are smaller.
  public let isDithered: Bool

  /// A writer; a number of colors out of range counts as the nearest.
  public init(maximumColorCount: Int = 256, isDithered: Bool = true) {
    self.maximumColorCount = min(max(maximumColorCount, 2), 256)
    self.isDithered = isDithered
  }

  public init(_ options: EncodeOptions) {
    self.init(maximumColorCount: options.maximumColorCount ?? 256, isDithered: options.isDithered)
  }

  /// The encoded file. A side may have 65,535 pixels.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    try Self.check(width: image.pixelWidth, height: image.pixelHeight)
    let pixels = try GIFPixels(image)
    var frames = GIFFrameWriter(writer: self, first: pixels, loopCount: nil)
    frames.append(pixels, delay: 0, next: nil)
    return frames.finished()
  }

  /// The encoded file. Three frames are held in memory at a time, beside the file. A side may have 65,535 pixels.
  public func encode(_ animation: Animation) throws -> Data {
    try Self.check(width: animation.pixelWidth, height: animation.pixelHeight)
    let frames = try animation.frames()
    func next() throws -> (pixels: GIFPixels, delay: TimeInterval)? {
      guard let frame = try frames.next() else { return nil }
      guard frame.image.pixelWidth == animation.pixelWidth, frame.image.pixelHeight == animation.pixelHeight else {
        throw CodecError.encodingFailed(.gif, reason: "frame \(frame.index) has another size than the first")
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
      throw .encodingFailed(.gif, reason: "\(width)x\(height) pixels, where a side may have 65535")
    }
  }
}

/// Rounds delays so that what is too much of one is missing of the next.
private struct DelayClock {
  /// Hundredths of a second that were asked for, less those that were given.
  private var owed = 0.0

  mutating func hundredths(_ delay: TimeInterval) -> Int {
    let wanted = max(2, min(delay.isFinite ? delay * 100 : 0, 65_535))
    owed += wanted
    let given = max(2, min(owed.rounded(), 65_535))
    owed -= given
    return Int(given)
  }
}
