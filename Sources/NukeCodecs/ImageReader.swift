public import Foundation
public import NukeImaging

/// Reads one image in one format: first the header, then, as often as wanted, the pixels.
///
/// A reader is made from complete data, keeps it, and may be used by several threads at once, since every call decodes
/// anew. Each format has one: ``JPEGReader``, ``PNGReader``, ``WebPReader``, ``GIFReader`` and so on; ``ImageReaders``
/// finds the right one.
public protocol ImageReader: Sendable {
  static var format: ImageFormat { get }

  /// Reads the header and checks it against the limits; no memory for pixels is taken.
  init(data: Data, limits: CodecLimits) throws(CodecError)

  /// The header as far as it can be known from the first bytes of a file; `nil` if more of them are needed.
  ///
  /// - Throws: where more bytes would not help.
  static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader?

  var header: ImageHeader { get }

  /// The reductions the decoder can make by itself, each cheaper than the one before: [1] for most formats.
  var scaleDenominators: [Int] { get }

  /// `true` if the image has no pixels of its own and is drawn at any size: see ``DecodeOptions/targetSize``. False for
  /// most.
  var isVector: Bool { get }

  /// The upright image, sRGB. An animated image gives its first frame.
  func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap

  /// Returns the frames, decoded one by one; `nil` if the image is not animated.
  func animation() throws(CodecError) -> Animation?

  /// Bytes that decoding takes beside the pixels of its result; 0 for most.
  var workingByteCount: Int { get }

  /// The small image that a camera embedded, encoded, if any.
  var embeddedThumbnail: Data? { get }

  /// The metadata of the file, which can be written to another file. Read on access.
  var metadata: ImageMetadata { get }
}

extension ImageReader {
  public var scaleDenominators: [Int] { [1] }
  public var isVector: Bool { false }
  public var workingByteCount: Int { 0 }
  public var embeddedThumbnail: Data? { nil }
  public var metadata: ImageMetadata { ImageMetadata(hasColorProfile: header.profileName != nil) }
  public func animation() throws(CodecError) -> Animation? { nil }

  /// The size in pixels of the upright image that ``decode(_:)`` gives at a reduction: sides divided and rounded up.
  public func pixelSize(scaleDenominator: Int) -> (width: Int, height: Int) {
    func divided(_ side: Int) -> Int { (side + scaleDenominator - 1) / scaleDenominator }
    return (divided(header.pixelWidth), divided(header.pixelHeight))
  }
}

/// Options for decoding an image.
public struct DecodeOptions: Sendable {
  /// A width and a height in pixels.
  public struct TargetSize: Sendable, Hashable {
    public var width: Int
    public var height: Int

    /// A size in pixels.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The reduction: 1 for all pixels, 2 for half the sides, and so on. One of ``ImageReader/scaleDenominators``.
  public var scaleDenominator: Int
  /// The orientation to apply instead of the file's. The default is `nil`: the file's orientation is applied. `.up`
  /// leaves the pixels as stored. GIF has no orientation and ignores it.
  public var orientation: Orientation?
  /// The size in pixels at which an image without pixels of its own is drawn; `nil` for the size that it says. Readers
  /// of other formats ignore it: see ``ImageReader/isVector``.
  public var targetSize: TargetSize?
  /// Asked now and then, from the decoding thread; decoding stops with ``CodecError/cancelled(_:)`` once it says true.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Creates options. The defaults decode all pixels of the whole image.
  public init(
    scaleDenominator: Int = 1, orientation: Orientation? = nil, targetSize: TargetSize? = nil,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.scaleDenominator = scaleDenominator
    self.orientation = orientation
    self.targetSize = targetSize
    self.isCancelled = isCancelled
  }
}

/// The readers of this build.
public enum ImageReaders {
  static let all: [ImageFormat: any ImageReader.Type] = [
    .bmp: BMPReader.self,
    .gif: GIFReader.self,
    .ico: ICOReader.self,
    .jpeg: JPEGReader.self,
    .png: PNGReader.self,
    .webp: WebPReader.self,
  ].merging(traited) { $1 }

  /// A reader for whatever format `data` begins with.
  ///
  /// - Throws: ``CodecError`` where the format is unknown, the header is damaged or asks for more than `limits` allow.
  public static func reader(for data: Data, limits: CodecLimits = .init()) throws(CodecError) -> any ImageReader {
    try type(for: data).init(data: data, limits: limits)
  }

  /// The header from the first bytes of a file; `nil` if more bytes are needed.
  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard data.count >= 16, !ImageFormat.isUndecided(data) else { return nil }
    return try type(for: data).header(ofPrefix: data)
  }

  private static func type(for data: Data) throws(CodecError) -> any ImageReader.Type {
    guard let format = ImageFormat(sniffing: data) else {
      throw .unrecognizedFormat(looksLike: ImageFormat.name(ofUnrecognized: data))
    }
    guard let type = all[format] else { throw .notBuilt(format, .reading) }
    return type
  }
}
