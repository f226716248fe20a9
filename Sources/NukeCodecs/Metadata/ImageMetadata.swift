public import Foundation
import NukeImaging

/// The metadata of an image, as encoded blocks.
///
/// A writer writes the parts in ``EncodeOptions/keptMetadata``. The default is none, because locations and names are
/// private and images for the web do not need metadata. Damaged blocks are left out and never cause an error. JPEG, PNG,
/// WebP, TIFF, AVIF and JPEG XL files contain it if it was kept; other writers ignore it. It is read from HEIC too.
public struct ImageMetadata: Sendable, Hashable {
  /// The parts of the metadata that can be kept.
  public struct Parts: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The artist and the copyright of EXIF.
    public static let copyright = Parts(rawValue: 1 << 0)
    /// A color profile, if the source had one. Decoded pixels are sRGB, so an sRGB profile is written instead of the
    /// source's.
    public static let colorProfile = Parts(rawValue: 1 << 1)
    /// Everything: EXIF with its locations and its thumbnail, and XMP.
    ///
    /// The orientation becomes 1, because decoded pixels are upright. All other values are unchanged, even if they are
    /// no longer correct: a thumbnail or a size describes the image before processing.
    public static let all: Parts = [.copyright, .colorProfile, Parts(rawValue: 1 << 2)]
  }

  /// The EXIF block, beginning with its byte order mark.
  public var exif: Data?
  /// The XMP packet in UTF-8.
  public var xmp: Data?
  /// A Boolean value that indicates whether the file has a color profile.
  public var hasColorProfile: Bool

  /// Creates metadata. The defaults are empty.
  public init(exif: Data? = nil, xmp: Data? = nil, hasColorProfile: Bool = false) {
    self.exif = exif
    self.xmp = xmp
    self.hasColorProfile = hasColorProfile
  }

  /// Returns the given parts of the metadata, with the orientation changed to upright, to write beside decoded pixels.
  public func keeping(_ parts: Parts) -> ImageMetadata {
    var kept = ImageMetadata(hasColorProfile: hasColorProfile && parts.contains(.colorProfile))
    if parts.isSuperset(of: .all) {
      kept.exif = exif.flatMap(EXIFBlock.upright)
      kept.xmp = xmp.flatMap { XMPBlock.oriented($0, to: .up) }
    } else if parts.contains(.copyright) {
      kept.exif = exif.flatMap { EXIFBlock.texts(in: $0, [.artist, .copyright]) }.flatMap(EXIFBlock.block)
    }
    return kept
  }

  var isEmpty: Bool { exif == nil && xmp == nil && !hasColorProfile }
}

extension ImageMetadata {
  /// The maximum size of a block that is kept, in bytes. Cameras write smaller blocks, and JPEG allows only smaller
  /// ones.
  static let blockLimit = 1 << 20

  /// Returns a copy of a block, or `nil` if it is larger than the limit.
  static func block(_ data: Data) -> Data? { data.count <= blockLimit ? Data(data) : nil }
}
