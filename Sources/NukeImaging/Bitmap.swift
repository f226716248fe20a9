public import Foundation
import Synchronization

/// A decoded image: pixels in memory, ready to be shown, never changed.
///
/// The pixels are premultiplied RGBA, 8 bits a channel, in sRGB, upright (an orientation in the file has been applied),
/// rows from the top without gaps between them. On Linux it is what `PlatformImage` stands for.
public final class Bitmap: Sendable {
  /// Width in pixels.
  public let pixelWidth: Int
  /// Height in pixels.
  public let pixelHeight: Int
  /// Pixels a point. An image of 200 pixels at scale 2 is 100 points wide.
  public let scale: CGFloat
  /// A Boolean value that indicates whether every pixel is known to be fully opaque.
  public let isOpaque: Bool
  package let buffer: PixelBuffer?
  /// The encoded animated image of which this is the first frame, for programs that look for it here.
  package let animatedData: Data?
  private let attached = AtomicLazyReference<Attachment>()

  /// The size in points: pixels divided by ``scale``.
  public var size: CGSize {
    CGSize(width: CGFloat(pixelWidth) / scale, height: CGFloat(pixelHeight) / scale)
  }

  /// Bytes from one row to the next, four a pixel.
  public var bytesPerRow: Int { pixelWidth * 4 }

  /// Bytes of all pixels, which is what the image costs in memory.
  public var byteCount: Int { pixelWidth * pixelHeight * 4 }

  /// An empty image of no pixels.
  public init() {
    pixelWidth = 0
    pixelHeight = 0
    scale = 1
    isOpaque = false
    buffer = nil
    animatedData = nil
  }

  /// The image whose pixels stand in `buffer`, which must not be written to any more.
  package init(_ buffer: PixelBuffer, scale: CGFloat = 1, isOpaque: Bool) {
    pixelWidth = buffer.width
    pixelHeight = buffer.height
    self.scale = scale.isFinite && scale > 0 ? scale : 1
    self.isOpaque = isOpaque
    self.buffer = buffer
    animatedData = nil
  }

  private init(sharing other: Bitmap, scale: CGFloat, animatedData: Data?) {
    pixelWidth = other.pixelWidth
    pixelHeight = other.pixelHeight
    self.scale = scale
    isOpaque = other.isOpaque
    buffer = other.buffer
    self.animatedData = animatedData
  }

  /// An image whose pixels `fill` writes; `nil` if a side is not positive or there is no memory for it.
  ///
  /// - Parameters:
  ///   - pixelWidth: the width in pixels.
  ///   - pixelHeight: the height in pixels.
  ///   - scale: pixels a point.
  ///   - isOpaque: promises that every alpha written is 255.
  ///   - fill: receives `pixelHeight` rows of `pixelWidth * 4` bytes, all zero, to be filled with premultiplied RGBA.
  public convenience init?<Failure: Error>(
    pixelWidth: Int, pixelHeight: Int, scale: CGFloat = 1, isOpaque: Bool = false,
    fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let buffer = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    buffer.clear()
    try fill(buffer.bytes)
    self.init(buffer, scale: scale, isOpaque: isOpaque)
  }

  /// The result of `body`, which reads the pixels: `pixelHeight` rows of ``bytesPerRow`` bytes, premultiplied RGBA.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: buffer?.base, count: byteCount))
  }

  /// Returns the bitmap with another scale (pixels per point), without copying pixels. A scale that is not positive is
  /// ignored.
  public func withScale(_ scale: CGFloat) -> Bitmap {
    guard scale.isFinite, scale > 0, scale != self.scale else { return self }
    return Bitmap(sharing: self, scale: scale, animatedData: animatedData)
  }

  /// Returns an object that a toolkit keeps with the image, such as its texture. It is created by the first call and
  /// released with the image. If two threads call first, both create one and one of the two is kept.
  package func attachment<Object: AnyObject & Sendable>(_ make: () -> Object?) -> Object? {
    if let kept = attached.load() { return kept.object as? Object }
    guard let made = make() else { return nil }
    return attached.storeIfNil(Attachment(object: made)).object as? Object
  }

  private final class Attachment: Sendable {
    let object: any AnyObject & Sendable
    init(object: any AnyObject & Sendable) { self.object = object }
  }

  /// Returns the bitmap with the encoded animated image that it belongs to, without copying pixels.
  package func withAnimatedData(_ data: Data?) -> Bitmap {
    Bitmap(sharing: self, scale: scale, animatedData: data)
  }
}

extension Bitmap: CustomStringConvertible {
  public var description: String {
    "Bitmap(\(pixelWidth)x\(pixelHeight) px, scale \(Double(scale)), \(isOpaque ? "opaque" : "with alpha"))"
  }
}

/// Two bitmaps are equal if they are the same object, as with `UIImage`'s identity. Their pixels are not compared.
extension Bitmap: Hashable {
  public static func == (lhs: Bitmap, rhs: Bitmap) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
