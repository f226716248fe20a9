public import Foundation
package import NukeCodecs

/// The kind of a picture or film, by its uniform type identifier. Values beyond the named ones can be made.
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
  /// GIF, still or moving.
  public static let gif: AssetType = "com.compuserve.gif"
  /// WebP, still or moving.
  public static let webp: AssetType = "public.webp"
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
  /// SVG, drawn when it is read.
  public static let svg: AssetType = "public.svg-image"
  /// JPEG 2000.
  public static let jpeg2000: AssetType = "public.jpeg-2000"
  /// MPEG-4 film.
  public static let mp4: AssetType = "public.mpeg4"
  /// MPEG-4 film of Apple's.
  public static let m4v: AssetType = "public.m4v"
  /// QuickTime film.
  public static let mov: AssetType = "public.mov"

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
      }
  }

  /// The type that the first bytes of `data` speak of, which may be one this build cannot decode; nil where they are
  /// not known. 16 bytes are enough for all but SVG, which is text, and some AVIF.
  public init?(_ data: Data) {
    if let format = ImageFormat(sniffing: data) {
      self.init(format)
      return
    }
    let head = [UInt8](data.prefix(12))
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
    }
    func has(_ text: String, at offset: Int) -> Bool { has(Array(text.utf8), at: offset) }

    if has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else if has("ftyp", at: 4), head.count >= 12 {
      // The major brand of an ISO base media file.
      switch String(decoding: head[8..<12], as: UTF8.self) {
      case "M4V ", "M4VH", "M4VP": self = .m4v
      case "qt  ": self = .mov
      case "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "MSNV", "dash": self = .mp4
      default: return nil
      }
    } else {
      return nil
    }
  }
}

extension ImageFormat {
  /// The format that an asset type names; nil for films and for what is not known.
  package init?(type: AssetType) {
    guard let format = Self.allCases.first(where: { AssetType($0) == type }) else { return nil }
    self = format
  }
}
