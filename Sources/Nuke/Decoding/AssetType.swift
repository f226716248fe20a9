public import Foundation
package import NukeCodecs

/// The format of an image or video, identified by its uniform type identifier. Create values for formats without a
/// constant from their identifier.
public struct AssetType: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The uniform type identifier, such as "public.jpeg".
  public let rawValue: String

  /// A type by its uniform type identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A type by its uniform type identifier.
  public init(stringLiteral value: String) { rawValue = value }

  /// PNG.
  public static let png: AssetType = "public.png"
  /// JPEG.
  public static let jpeg: AssetType = "public.jpeg"
  /// GIF, still or animated.
  public static let gif: AssetType = "com.compuserve.gif"
  /// WebP, still or animated.
  public static let webp: AssetType = "org.webmproject.webp"
  /// HEIC and HEIF.
  public static let heic: AssetType = "public.heic"
  /// AVIF.
  public static let avif: AssetType = "public.avif"
  /// JPEG XL.
  public static let jxl: AssetType = "public.jpeg-xl"
  /// TIFF.
  public static let tiff: AssetType = "public.tiff"
  /// Windows bitmap.
  public static let bmp: AssetType = "com.microsoft.bmp"
  /// Windows icon.
  public static let ico: AssetType = "com.microsoft.ico"
  /// SVG, rendered when it is decoded.
  public static let svg: AssetType = "public.svg-image"
  /// JPEG 2000.
  public static let jpeg2000: AssetType = "public.jpeg-2000"
  /// MPEG-4 video.
  public static let mp4: AssetType = "public.mpeg-4"
  /// Apple's variant of MPEG-4 video (M4V).
  public static let m4v: AssetType = "com.apple.m4v-video"
  /// QuickTime movie.
  public static let mov: AssetType = "com.apple.quicktime-movie"

  /// WebM video.
  public static let webm: AssetType = "org.webmproject.webm"

  /// A Boolean value that indicates whether it is ``mp4``, ``m4v``, ``mov`` or ``webm``.
  public var isVideo: Bool { [.mp4, .m4v, .mov, .webm].contains(self) }

  init(_ format: ImageFormat) {
    self =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .webp: .webp
      case .gif: .gif
      case .bmp: .bmp
      case .ico: .ico
      case .tiff: .tiff
      case .avif: .avif
      case .heic: .heic
      case .jxl: .jxl
      case .svg: .svg
      case .mp4: .mp4
      case .mov: .mov
      case .webm: .webm
      }
  }

  /// Detects the type by the signature in the first bytes of `data`. This build may be unable to decode it.
  ///
  /// The major brand of an ISO base media file decides. Files of 3GPP, 3GPP2 and Flash (F4V) have no type, although their
  /// video may be that of an MP4.
  public init?(_ data: Data) {
    let head = [UInt8](data.prefix(1024))
    let brands = ImageFormat.fileTypeBrands(head)
    if let format = ImageFormat(sniffing: data) {
      // These brands identify a HEIF container with images in any coding.
      if format == .heic, let major = brands.first, ["mif1", "msf1"].contains(major),
        !brands.contains(where: { $0.hasPrefix("hei") || $0.hasPrefix("hev") })
      {
        return nil
      }
      if format == .mp4, let major = brands.first {
        // 3GPP (RFC 3839), 3GPP2 (RFC 4393) and Flash are file formats of their own in the registry of brands (MP4RA).
        if major.hasPrefix("3g") || major.hasPrefix("f4v") { return nil }
        if major.hasPrefix("M4V") {
          self = .m4v
          return
        }
      }
      self.init(format)
      return
    }
    func has(_ signature: [UInt8]) -> Bool { head.starts(with: signature) }
    if has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else if has(Array("BM".utf8)) {
      self = .bmp
    } else if has([0, 0, 1, 0]) || has([0, 0, 2, 0]) {
      self = .ico
    } else {
      return nil
    }
  }
}

extension ImageFormat {
  /// The format for an asset type; `nil` for unknown types.
  package init?(type: AssetType) {
    guard let format = Self.allCases.first(where: { AssetType($0) == (type == .m4v ? .mp4 : type) }) else { return nil }
    self = format
  }
}
