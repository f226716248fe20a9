import Nuke
public import NukeCodecs
import NukeImaging

/// The limits of sources and results. Exceeding one throws ``ServingError/tooLarge(_:)``. Where possible, the header
/// reveals it before memory for pixels is allocated.
public struct RenderLimits: Sendable, Hashable, Codable {
  /// The maximum size of a source's file, in bytes.
  public var maximumSourceBytes = 64 << 20
  /// The limits of a source's pixels, sides and frames; of a drawing, those of the size at which it is drawn. The pipeline's
  /// own limits also apply.
  public var source = CodecLimits()
  /// The maximum number of pixels of the result and of each intermediate image.
  public var maximumResultPixels = 50_000_000
  /// The maximum side of a result, in pixels.
  public var maximumResultSide = 32_768
  /// The maximum size of a result's file, in bytes.
  public var maximumResultBytes = 64 << 20
  /// The maximum number of frames of an animated result. The following frames are dropped.
  public var maximumAnimationFrames = 250
  /// The maximum number of pixels of all frames together, of the source and of the result. Above it, the first frame is
  /// sent.
  public var maximumAnimationPixels = 100_000_000

  /// The maximum number of pixels of a frame of an animated source; `nil` for that of a source.
  public var maximumFramePixels: Int?

  /// The maximum size of all intermediate images when borders are trimmed, in bytes. Only the pixels determine the size
  /// of a trimmed result, so such an image is admitted with its largest possible size or this limit, whichever is
  /// smaller. The default is a quarter of the memory that this process may use, like
  /// ``ServiceConfiguration/decodeBudget``.
  public var maximumTrimmingBytes = MemoryLimit.bytes / 4

  /// Creates the default limits.
  public init() {}

  /// Returns the limits, lowered by those of a URL.
  func lowered(by other: ImageOptions.Limits) -> RenderLimits {
    var limits = self
    limits.maximumSourceBytes = min(maximumSourceBytes, other.sourceBytes ?? .max)
    limits.source.maximumPixelCount = min(source.maximumPixelCount, other.sourcePixels ?? .max)
    limits.maximumAnimationFrames = min(maximumAnimationFrames, other.frames ?? .max)
    limits.maximumFramePixels = [maximumFramePixels, other.framePixels].compactMap(\.self).min()
    return limits
  }

  /// Throws if the source is animated, and its frames have too many pixels.
  func check(framesOf header: ImageHeader) throws(ServingError) {
    guard let maximumFramePixels, header.frameCount ?? 1 > 1 else { return }
    let count = header.storedWidth * header.storedHeight
    guard count <= maximumFramePixels else {
      throw .tooLarge("a frame has \(count) pixels, more than the limit of \(maximumFramePixels)")
    }
  }

  /// Throws if the source has too many bytes.
  package func check(sourceBytes count: Int) throws(ServingError) {
    guard count <= maximumSourceBytes else {
      throw .tooLarge("the source has \(count) bytes, more than the limit of \(maximumSourceBytes)")
    }
  }

  /// Throws if the result has too many bytes.
  func check(resultBytes count: Int) throws(ServingError) {
    guard count <= maximumResultBytes else {
      throw .tooLarge("the result has \(count) bytes, more than the limit of \(maximumResultBytes)")
    }
  }

  /// Throws if an intermediate image has too many pixels.
  func check(width: Double, height: Double) throws(ServingError) {
    guard max(width, height) <= Double(maximumResultSide), width * height <= Double(maximumResultPixels) else {
      throw .tooLarge(
        "the result would have \(Self.text(width))x\(Self.text(height)) pixels, more than the limit of "
          + "\(maximumResultPixels), or \(maximumResultSide) on a side")
    }
  }

  /// Throws if the trimmed image needs more memory than was admitted for it.
  func check(trimmed geometry: RenditionGeometry, of image: PlatformImage) throws(ServingError) {
    let bytes = RenditionGeometry.trimmedByteCount(
      source: Double(image.pixelWidth) * Double(image.pixelHeight),
      result: Double(geometry.result.width) * Double(geometry.result.height))
    guard bytes <= Double(maximumTrimmingBytes) else {
      throw .tooLarge(
        "the trimmed image would have \(geometry.result.width)x\(geometry.result.height) pixels, and need "
          + "\(Int(bytes)) bytes of memory, more than the limit of \(maximumTrimmingBytes)")
    }
  }

  private static func text(_ side: Double) -> String { Int(exactly: side).map { "\($0)" } ?? "\(side)" }
}

/// The server's settings for everything that a URL leaves open.
public struct RenderSettings: Sendable, Hashable, Codable {
  /// The maximum side of a result, in pixels; `nil` for ``RenderLimits/maximumResultSide``. A larger result is scaled
  /// down.
  public var longestSide: Int?
  /// The effort of encoding by format, from 0 (fastest) to 1 (smallest file); see `EncodeOptions.effort`. AVIF has 0.2 by
  /// default, that is the speed 8 of libavif: a third of the time of its own default, for 15 % more bytes.
  public var efforts: [ImageFormat: Double] = [.avif: 0.2]
  /// The quality by format on the scale of the format's library, from 1 to 100; 80 for other formats.
  public var qualities: [ImageFormat: Int] = [.jpeg: 80, .webp: 79, .avif: 63, .jxl: 77]
  /// A Boolean value that indicates whether JPEG files are progressive.
  public var writesProgressiveJPEG = false
  /// The maximum number of colors of PNG, 2...256; `nil` for no limit.
  public var colorCountOfPNG: Int?
  /// The formats of results whose URL names none, in order of preference. A source in one of them keeps its format. For
  /// other sources, the first one that can represent the image is used, or the first of all.
  public var preferredFormats: [ImageFormat] = [.jpeg, .png, .gif]
  /// A Boolean value that indicates whether EXIF, XMP and comments are removed.
  public var stripsMetadata = true
  /// A Boolean value that indicates whether the copyright is kept if metadata is removed.
  public var keepsCopyright = true
  /// A Boolean value that indicates whether locations in metadata are kept. Otherwise, GPS data is removed from EXIF,
  /// and XMP that contains a location is removed completely.
  public var keepsLocation = false
  /// A Boolean value that indicates whether SVG may be sent unchanged if the options request the unchanged source. SVG
  /// can contain scripts, which run if a browser opens it as a page of the server. A compressed SVG is decompressed.
  public var sendsSVG = false
  /// A Boolean value that indicates whether the thumbnail in a HEIC or AVIF file is rendered in place of its image, if
  /// there is one.
  public var usesThumbnails = false
  /// The opacity of watermarks that URLs name, from 0 to 1. It is multiplied by the opacity in the URL.
  public var watermarkOpacity = 1.0

  /// Creates the default settings.
  public init() {}

  /// Returns the quality of the JPEG that looks like the result, from 0 to 1.
  func quality(of format: ImageFormat, _ options: ImageOptions) -> Double {
    func share(_ percent: Int) -> Double { Double(min(max(percent, 1), 100)) / 100 }
    if let quality = options.quality { return share(quality) }
    return QualityScale.qualityOfJPEG(
      like: share(options.formatQuality[format] ?? qualities[format] ?? 80), of: format)
  }

  /// Returns the format of an image whose URL names none and whose source has another one.
  func preferredFormat(isOpaque: Bool) -> ImageFormat {
    preferredFormats.first { isOpaque || $0 != .jpeg } ?? preferredFormats.first ?? .jpeg
  }

  func keptMetadata(_ options: ImageOptions) -> ImageMetadata.Parts {
    if options.stripsMetadata ?? stripsMetadata { return options.keepsCopyright ?? keepsCopyright ? .copyright : [] }
    return .all
  }
}
