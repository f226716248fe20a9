public import Foundation
import Synchronization

/// A decoded image: immutable pixels in memory.
///
/// The pixels are premultiplied RGBA in sRGB, with 8 bits per channel, in rows from the top without padding. The image
/// is upright: the orientation in its file has been applied. On Linux, `PlatformImage` is this type.
public final class Bitmap: Sendable {
  /// The width in pixels.
  public let pixelWidth: Int
  /// The height in pixels.
  public let pixelHeight: Int
  /// The number of pixels per point. An image with 200 pixels and a scale of 2 is 100 points wide.
  public let scale: CGFloat
  /// A Boolean value that indicates whether every pixel is known to be fully opaque.
  public let isOpaque: Bool
  package let buffer: PixelBuffer?
  /// The encoded animated image whose first frame this is, for programs that expect it here.
  package let animatedData: Data?
  private let attached = AtomicLazyReference<Attachment>()

  /// The size in points: pixels divided by ``scale``.
  public var size: CGSize {
    CGSize(width: CGFloat(pixelWidth) / scale, height: CGFloat(pixelHeight) / scale)
  }

  /// The number of bytes in a row, four per pixel.
  public var bytesPerRow: Int { pixelWidth * 4 }

  /// The size of all pixels in bytes, which is the memory cost of the image.
  public var byteCount: Int { pixelWidth * pixelHeight * 4 }

  /// Creates an empty image without pixels.
  public init() {
    pixelWidth = 0
    pixelHeight = 0
    scale = 1
    isOpaque = false
    buffer = nil
    animatedData = nil
  }

  /// Creates an image with the pixels of `buffer`, which must not be modified anymore.
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

  /// Creates an image whose pixels `fill` writes. Returns `nil` if a side is not positive or memory cannot be
  /// allocated.
  ///
  /// - Parameters:
  ///   - pixelWidth: the width in pixels.
  ///   - pixelHeight: the height in pixels.
  ///   - scale: the number of pixels per point.
  ///   - isOpaque: `true` if `fill` writes 255 to every alpha.
  ///   - fill: receives `pixelHeight` rows of `pixelWidth * 4` zero bytes, and fills them with premultiplied RGBA.
  public convenience init?<Failure: Error>(
    pixelWidth: Int, pixelHeight: Int, scale: CGFloat = 1, isOpaque: Bool = false,
    fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let buffer = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    buffer.clear()
    try fill(buffer.bytes)
    self.init(buffer, scale: scale, isOpaque: isOpaque)
  }

  /// Calls `body` with the pixels, without copying them, and returns its result.
  ///
  /// ```swift
  /// let center = image.withUnsafeBytes { pixels in
  ///   let offset = (image.pixelHeight / 2) * image.bytesPerRow + (image.pixelWidth / 2) * 4
  ///   return pixels[offset..<offset + 4].map { $0 }
  /// }
  /// ```
  ///
  /// | | |
  /// |---|---|
  /// | Rows | ``pixelHeight`` rows of ``bytesPerRow`` bytes, which is `pixelWidth * 4`: no padding. The first is the top row, and its first pixel the left one. |
  /// | Pixels | Four bytes in the order red, green, blue, alpha. |
  /// | Alpha | Premultiplied: no color is larger than its alpha. If ``isOpaque`` is `true`, every alpha is 255. |
  /// | Color space | sRGB with its transfer function; the color profile of the file has been converted. |
  /// | Orientation | Upright; the orientation of the file has been applied. |
  ///
  /// The bytes are valid only while `body` runs, must not be changed, and are none for an empty image. The method can be
  /// called on several threads at the same time.
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

/// Two bitmaps are equal if they are the same object, like `UIImage`s. Their pixels are not compared.
extension Bitmap: Hashable {
  public static func == (lhs: Bitmap, rhs: Bitmap) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
