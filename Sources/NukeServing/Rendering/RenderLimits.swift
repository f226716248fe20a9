import Nuke
public import NukeCodecs
import NukeImaging

/// The limits of sources and results. Exceeding one is ``ServingError/tooLarge(_:)``, which is found from the header,
/// before memory for pixels is allocated, wherever possible.
public struct RenderLimits: Sendable, Hashable, Codable {
  /// The most bytes of a source's file.
  public var maximumSourceBytes = 64 << 20
  /// Pixels, sides and frames of a source. The pipeline's own limits count as well.
  public var source = CodecLimits()
  /// The most pixels of a result, and of each step on the way to it.
  public var maximumResultPixels = 50_000_000
  /// The longest side of a result in pixels.
  public var maximumResultSide = 32_768
  /// The most bytes of a result's file.
  public var maximumResultBytes = 64 << 20
  /// The most frames of an image that goes on moving; of one that has more the first frame is sent.
  public var maximumAnimationFrames = 250
  /// The most pixels of all frames together, both of the source and of the result; beyond, the first frame is sent.
  public var maximumAnimationPixels = 100_000_000

  /// The most bytes of the pixels of all steps where borders are trimmed: how large the result is then only the pixels
  /// tell, so that this is what such an image is admitted for if it could come to so much. A quarter of the memory that
  /// this process may use by default, as ``ServiceConfiguration/decodeBudget`` is.
  public var maximumTrimmingBytes = MemoryLimit.bytes / 4

  /// Creates the default limits.
  public init() {}

  /// Refuses a source of that size in bytes.
  package func check(sourceBytes count: Int) throws(ServingError) {
    guard count <= maximumSourceBytes else {
      throw .tooLarge("the source has \(count) bytes: \(maximumSourceBytes) are allowed")
    }
  }

  /// Refuses a step of that size in pixels.
  func check(width: Double, height: Double) throws(ServingError) {
    guard max(width, height) <= Double(maximumResultSide), width * height <= Double(maximumResultPixels) else {
      throw .tooLarge(
        "the result would have \(Self.text(width))x\(Self.text(height)) pixels: "
          + "\(maximumResultPixels) and \(maximumResultSide) a side are allowed")
    }
  }

  /// Refuses what is left within borders where it would take more than was admitted for it.
  func check(trimmed geometry: RenditionGeometry, of image: PlatformImage) throws(ServingError) {
    let bytes = RenditionGeometry.trimmedByteCount(
      source: Double(image.pixelWidth) * Double(image.pixelHeight),
      result: Double(geometry.result.width) * Double(geometry.result.height))
    guard bytes <= Double(maximumTrimmingBytes) else {
      throw .tooLarge(
        "the trimmed image would have \(geometry.result.width)x\(geometry.result.height) pixels, and take "
          + "\(Int(bytes)) bytes on the way: \(maximumTrimmingBytes) are allowed")
    }
  }

  private static func text(_ side: Double) -> String { Int(exactly: side).map { "\($0)" } ?? "\(side)" }
}

/// The settings of a server that apply where a URL says nothing.
public struct RenderSettings: Sendable, Hashable, Codable {
  /// The quality by format, from 1 to 100; 80 for other formats.
  public var qualities: [ImageFormat: Int] = [.jpeg: 80, .webp: 79, .avif: 63, .jxl: 77]
  /// A Boolean value that indicates whether JPEG is written in passes of growing quality.
  public var writesProgressiveJPEG = false
  /// A Boolean value that indicates whether EXIF, XMP and comments are left out.
  public var stripsMetadata = true
  /// A Boolean value that indicates whether the copyright is kept where metadata is left out.
  public var keepsCopyright = true
  /// A Boolean value that indicates whether places stay in metadata that is kept. Without it GPS is left out of EXIF,
  /// and XMP that names a place is left out whole.
  public var keepsLocation = false
  /// A Boolean value that indicates whether SVG may be sent as it is, to those that ask for it. It can hold scripts,
  /// which run where it is opened as a page of the server's.
  public var sendsSVG = false

  /// Creates the default settings.
  public init() {}

  /// Returns the quality, from 0 to 1.
  func quality(of format: ImageFormat, _ options: ImageOptions) -> Double {
    let percent = options.quality ?? options.formatQuality[format] ?? qualities[format] ?? 80
    return Double(min(max(percent, 1), 100)) / 100
  }

  func keptMetadata(_ options: ImageOptions) -> ImageMetadata.Parts {
    if options.stripsMetadata ?? stripsMetadata { return options.keepsCopyright ?? keepsCopyright ? .copyright : [] }
    return .all
  }
}
