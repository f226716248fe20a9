public import NukeCodecs

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
