public import Foundation
internal import NukeImaging

/// Reads JPEG: baseline and progressive, Huffman or arithmetic coded; gray, YCbCr, RGB, CMYK and YCCK.
///
/// The EXIF orientation is applied, and the embedded profile is converted to sRGB; a damaged profile is ignored. CMYK
/// is read as inverted, as nearly all CMYK files are and as browsers do. Without a valid profile, CMYK is converted by
/// multiplying the inks.
///
/// Data that ends early is ``CodecError/truncated(_:byteCount:)``, and damaged data is
/// ``CodecError/malformed(_:reason:offset:)`` with libjpeg's message; images with missing parts are never returned.
/// Only the end marker may be missing after complete data. At 1/8, the fine detail of a progressive image is not
/// visible and not read, so damage to it is not detected.
///
/// Our own decoder reads gray and YCbCr images with Huffman coding. libjpeg-turbo reads all others, and files that our
/// decoder finds damaged. The pixels are the same.
public struct JPEGReader: ImageReader {
  public static let format = ImageFormat.jpeg
  /// The reductions that the inverse DCT supports.
  package static let availableScaleDenominators = [1, 2, 4, 8]

  public let header: ImageHeader
  public var scaleDenominators: [Int] { Self.availableScaleDenominators }
  let data: Data
  let markers: JPEGMarkers
  /// The embedded profile, if it matches the color model and is not sRGB.
  let profile: ColorProfile?

  /// The maximum side in pixels that libjpeg reads and writes. The format allows 65,535, but whether an image can be read
  /// must not depend on the decoder that its kind needs.
  static let maximumSide = 65_500

  public init(data: Data, limits: CodecLimits = .init()) throws(CodecError) {
    guard let markers = try Self.markers(of: data) else { throw .truncated(.jpeg, byteCount: data.count) }
    try limits.check(.jpeg, width: markers.frame.width, height: markers.frame.height)
    guard max(markers.frame.width, markers.frame.height) <= Self.maximumSide else {
      throw .unsupported(.jpeg, feature: "a side of more than \(Self.maximumSide) pixels")
    }
    let profile = markers.profile(in: data)
    header = markers.header(of: data, profile: profile)
    self.profile = profile.flatMap { $0.isSRGB ? nil : $0 }
    self.data = data
    self.markers = markers
  }

  /// The header. Needs the bytes up to the first scan: a few hundred in most files, more if a profile or a thumbnail is
  /// embedded.
  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard let markers = try markers(of: data) else { return nil }
    return markers.header(of: data, profile: markers.profile(in: data))
  }

  private static func markers(of data: Data) throws(CodecError) -> JPEGMarkers? {
    try data.reading { bytes throws(CodecError) in try JPEGMarkers(bytes) }
  }

  public var embeddedThumbnail: Data? {
    markers.exif.flatMap { EXIF.embeddedThumbnail(tiff: data.slice($0)) }
  }

  public var metadata: ImageMetadata {
    ImageMetadata(
      exif: markers.exif.map { data.slice($0) }, xmp: markers.xmp.map { Data(data.slice($0)) },
      hasColorProfile: header.profileName != nil)
  }

  /// The bytes that decoding uses in addition to the pixels: almost none for most images; all coefficients for an image
  /// with several scans.
  public var workingByteCount: Int {
    // In the scan header, the number of components follows the length (T.81, B.2.3).
    let components = data.dropFirst(markers.firstScan + 2).first.map(Int.init) ?? 0
    let hasSeveralScans = markers.frame.isProgressive || components < markers.frame.components.count
    return hasSeveralScans ? markers.frame.coefficientByteCount : 0
  }
}

extension JPEGMarkers {
  fileprivate func header(of data: Data, profile: ColorProfile?) -> ImageHeader {
    var header = ImageHeader(format: .jpeg, storedWidth: frame.width, storedHeight: frame.height)
    header.isProgressive = frame.isProgressive
    header.colorModel = colorModel
    header.exif = exif.flatMap { EXIF(tiff: data.slice($0)) }
    header.orientation = header.exif?.orientation ?? .up
    header.profileName = profile?.name
    return header
  }

  private var colorModel: ImageHeader.ColorModel {
    switch frame.components.count {
    case 1: .gray
    case 3: .rgb
    default: .cmyk
    }
  }

  /// The embedded profile, if it is valid and matches the color model.
  fileprivate func profile(in data: Data) -> ColorProfile? {
    guard !profileChunks.isEmpty else { return nil }
    let chunks = profileChunks.reduce(into: Data()) { $0.append(data.slice($1)) }
    return ColorProfile(iccData: chunks).flatMap { $0.fits(colorModel) ? $0 : nil }
  }
}
