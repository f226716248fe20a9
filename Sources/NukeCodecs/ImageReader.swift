public import Foundation
public import NukeImaging

/// Reads an image in one format: first the header, and then the pixels, as often as needed.
///
/// A reader is created from complete data and keeps it. It can be used by several threads at once, because every call
/// decodes again. Each format has a reader: ``JPEGReader``, ``PNGReader``, ``WebPReader``, ``GIFReader`` and so on.
/// ``ImageReaders`` selects the right one.
public protocol ImageReader: Sendable {
  static var format: ImageFormat { get }

  /// Reads the header and checks it against the limits; those of a vector image are checked when it is drawn. Allocates no
  /// memory for pixels.
  init(data: Data, limits: CodecLimits) throws(CodecError)

  /// Returns the header from the first bytes of a file; `nil` if more bytes are needed.
  ///
  /// - Throws: an error if more bytes would not help.
  static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader?

  var header: ImageHeader { get }

  /// The reductions that the decoder supports, each faster than the one before: [1] for most formats.
  var scaleDenominators: [Int] { get }

  /// `true` for a vector image, which can be drawn at any size: see ``DecodeOptions/targetSize``. `false` for most
  /// formats.
  var isVector: Bool { get }

  /// Returns the upright image in sRGB: the first frame of an animated image, or the default image of an animated PNG.
  func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap

  /// Returns the frames, decoded one by one; `nil` if the image is not animated.
  func animation() throws(CodecError) -> Animation?

  /// The memory that decoding needs in addition to the pixels of its result, in bytes; 0 for most formats.
  var workingByteCount: Int { get }

  /// The encoded thumbnail that a camera has embedded, if any.
  var embeddedThumbnail: Data? { get }

  /// Returns a reader for the thumbnail in the file; `nil` if there is none, or if its header cannot be read.
  ///
  /// The default implementation reads ``embeddedThumbnail``. The orientation of the image is not applied to the
  /// thumbnail.
  func thumbnailReader(limits: CodecLimits) -> (any ImageReader)?

  /// The metadata of the file, which can be written to another file. Read on access.
  var metadata: ImageMetadata { get }
}

extension ImageReader {
  public var scaleDenominators: [Int] { [1] }
  public var isVector: Bool { false }
  public var workingByteCount: Int { 0 }
  public var embeddedThumbnail: Data? { nil }

  public func thumbnailReader(limits: CodecLimits) -> (any ImageReader)? {
    embeddedThumbnail.flatMap { try? ImageReaders.reader(for: $0, limits: limits) }
  }

  public var metadata: ImageMetadata { ImageMetadata(hasColorProfile: header.profileName != nil) }
  public func animation() throws(CodecError) -> Animation? { nil }

  /// Returns the size in pixels of the upright image from ``decode(_:)`` at a reduction: sides divided and rounded up.
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

  /// The reduction: 1 for the full size, 2 for half the sides, and so on. One of ``ImageReader/scaleDenominators``.
  public var scaleDenominator: Int
  /// The orientation to apply instead of the file's. The default is `nil`: the file's orientation is applied. `.up`
  /// leaves the pixels as stored. GIF has no orientation and ignores it.
  public var orientation: Orientation?
  /// The size in pixels at which a vector image is drawn; `nil` for its own size. Other readers ignore it: see
  /// ``ImageReader/isVector``.
  public var targetSize: TargetSize?
  /// The frame of a video to return. The default is the first one. Other readers ignore it.
  public var posterFrame: PosterFrame
  /// Called repeatedly on the decoding thread. If it returns `true`, decoding stops with ``CodecError/cancelled(_:)``.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Creates options. The defaults decode all pixels of the whole image.
  public init(
    scaleDenominator: Int = 1, orientation: Orientation? = nil, targetSize: TargetSize? = nil,
    posterFrame: PosterFrame = .first, isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.scaleDenominator = scaleDenominator
    self.orientation = orientation
    self.targetSize = targetSize
    self.posterFrame = posterFrame
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

  /// Returns a reader for the format of `data`.
  ///
  /// - Throws: ``CodecError`` if the format is unknown, the header is damaged, or the image exceeds `limits`.
  public static func reader(for data: Data, limits: CodecLimits = .init()) throws(CodecError) -> any ImageReader {
    try type(for: data).init(data: data, limits: limits)
  }

  /// Returns the memory in bytes that creating a reader takes, as an estimate; `nil` if the reader reads only a header,
  /// which takes microseconds, and if the format is not known.
  package static func openingByteCount(of data: Data) -> Int? {
    switch ImageFormat(sniffing: data) {
    case .jpeg, .png, .webp, .gif, .bmp, .ico, nil: nil
    // The elements of the drawing.
    case .svg: 40 * SVGCompression.textByteCount(of: data)
    // Their libraries copy the boxes, or the whole file.
    default: data.count
    }
  }

  /// Returns the header from the first bytes of a file; `nil` if more bytes are needed.
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
