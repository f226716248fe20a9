public import Foundation

/// The metadata of an image, as blocks of bytes.
///
/// A writer writes of it what ``EncodeOptions/keptMetadata`` says, which is nothing by default: images for the web are
/// better off without, and places and names are nobody's business. What is damaged is left out; it never makes encoding
/// fail. JPEG, PNG, WebP and TIFF are read and written with it; other writers ignore it.
public struct ImageMetadata: Sendable, Hashable {
  /// The parts of it that can be kept.
  public struct Parts: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The artist and the copyright of EXIF.
    public static let copyright = Parts(rawValue: 1 << 0)
    /// A color profile, if the source had one. Decoded pixels are sRGB, so an sRGB profile is written instead of the
    /// source's.
    public static let colorProfile = Parts(rawValue: 1 << 1)
    /// Everything: EXIF with its places and its thumbnail, and XMP.
    ///
    /// Pixels that were decoded stand upright, so that the orientation becomes 1. All else stays as the source has it,
    /// also where it is no longer true: a thumbnail or a size shows the image as it was before processing.
    public static let all: Parts = [.copyright, .colorProfile, Parts(rawValue: 1 << 2)]
  }

  /// EXIF, from its byte order mark on.
  public var exif: Data?
  /// XMP, in UTF-8.
  public var xmp: Data?
  /// A Boolean value that indicates whether the file says what its colors mean.
  public var hasColorProfile: Bool

  /// Nothing, unless told otherwise.
  public init(exif: Data? = nil, xmp: Data? = nil, hasColorProfile: Bool = false) {
    self.exif = exif
    self.xmp = xmp
    self.hasColorProfile = hasColorProfile
  }

  /// Returns the metadata for a file of upright pixels.
  public func keeping(_ parts: Parts) -> ImageMetadata {
    var kept = ImageMetadata(hasColorProfile: hasColorProfile && parts.contains(.colorProfile))
    if parts.isSuperset(of: .all) {
      kept.exif = exif.flatMap(EXIFBlock.upright)
      kept.xmp = xmp.flatMap(XMPBlock.upright)
    } else if parts.contains(.copyright) {
      kept.exif = exif.flatMap { EXIFBlock.texts(in: $0, [.artist, .copyright]) }.flatMap(EXIFBlock.block)
    }
    return kept
  }

  var isEmpty: Bool { exif == nil && xmp == nil && !hasColorProfile }
}

extension ImageMetadata {
  /// The most bytes of a block that are kept. Nothing that a camera writes is as long, and JPEG holds less.
  static let blockLimit = 1 << 20
}
