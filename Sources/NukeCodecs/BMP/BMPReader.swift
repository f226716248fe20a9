public import Foundation
public import NukeImaging

/// Reads Windows bitmaps with our own decoder. It supports 1, 4, 8, 16, 24 and 32 bits per pixel, bit masks, palettes,
/// run-length encoding, both row orders, and the headers of all versions of Windows and of OS/2.
///
/// An image has alpha if its masks have. If all alpha values are 0, the image is opaque, as in browsers. An embedded
/// profile is converted to sRGB; other images are assumed to be sRGB. In run-length encoded images, pixels without a
/// run have the first color of the palette. Indices without a color in the palette are black.
public struct BMPReader: ImageReader {
  public static let format = ImageFormat.bmp

  public let header: ImageHeader
  private let data: Data
  private let bitmap: DIBHeader
  private let pixelOffset: Int
  private let profile: ColorProfile?

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    guard let (bitmap, pixelOffset) = try Self.headers(of: data) else {
      throw .truncated(.bmp, byteCount: data.count)
    }
    try limits.check(.bmp, width: bitmap.width, height: bitmap.height)
    let profile = Self.profile(of: bitmap, in: data)
    header = ImageHeader(bitmap, format: .bmp, profileName: profile?.name)
    self.profile = profile.flatMap { $0.isSRGB ? nil : $0 }
    self.data = data
    self.bitmap = bitmap
    self.pixelOffset = pixelOffset
  }

  /// Needs the headers, which have less than 160 bytes. An embedded profile is at the end of a file, and is included
  /// only if it is available.
  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard let (bitmap, _) = try headers(of: data) else { return nil }
    return ImageHeader(bitmap, format: .bmp, profileName: profile(of: bitmap, in: data)?.name)
  }

  /// Returns the header and the offset of the pixels; `nil` if the data ends before the header.
  private static func headers(of data: Data) throws(CodecError) -> (DIBHeader, pixelOffset: Int)? {
    guard data.count >= 14 else { return nil }
    try ImageFormat.bmp.checkSignature(data)
    return try data.reading { bytes throws(CodecError) in
      guard let bitmap = try DIBHeader(bytes, at: 14, in: .bitmap) else { return nil }
      // If the header does not state the offset, or not with the palette, the pixels follow the palette. Otherwise the
      // palette is truncated at their start.
      let offset = bytes.littleEndian32(at: 10)
      guard offset == 0 || offset >= bitmap.palette.lowerBound else {
        throw .malformed(.bmp, reason: "the pixels overlap the header", offset: 10)
      }
      let lacksPalette = bitmap.isIndexed && offset == bitmap.palette.lowerBound
      let follows = lacksPalette && bytes.count >= bitmap.palette.upperBound + bitmap.byteCount
      return (bitmap, offset == 0 || follows ? bitmap.palette.upperBound : offset)
    }
  }

  private static func profile(of bitmap: DIBHeader, in data: Data) -> ColorProfile? {
    guard let range = bitmap.profile, range.upperBound <= data.count else { return nil }
    return ColorProfile(iccData: data.slice(range)).flatMap { $0.fits(.rgb) ? $0 : nil }
  }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let image = try data.reading { bytes throws(CodecError) in
      try Self.decode(DIBPixels(bitmap, in: bytes, start: pixelOffset, format: .bmp), options.isCancelled)
    }
    profile?.convertToSRGB(image.buffer, isOpaque: !image.hasAlpha)
    let isOpaque = image.hasAlpha ? image.buffer.premultiply() : true
    return try image.buffer.upright(options.orientation ?? .up, isOpaque: isOpaque, .bmp)
  }

  private static func decode(
    _ pixels: DIBPixels, _ isCancelled: (() -> Bool)?
  ) throws(CodecError) -> (buffer: PixelBuffer, hasAlpha: Bool) {
    try pixels.check()
    let (width, height) = (pixels.header.width, pixels.header.height)
    let buffer = try PixelBuffer.allocate(.bmp, width: width, height: height)
    let showsAnything = try pixels.draw(into: buffer, isCancelled: isCancelled)
    if !showsAnything { PixelKernels.best.setOpaque(buffer.base, count: width * height) }
    return (buffer, pixels.header.hasAlpha && showsAnything)
  }
}

extension ImageHeader {
  init(_ bitmap: DIBHeader, format: ImageFormat, profileName: String?) {
    self.init(format: format, storedWidth: bitmap.width, storedHeight: bitmap.height)
    colorModel = bitmap.isIndexed ? .indexed : .rgb
    bitsPerComponent = bitmap.isIndexed ? bitmap.bitsPerPixel : bitmap.bitsPerPixel == 16 ? 5 : 8
    hasAlpha = bitmap.hasAlpha
    self.profileName = profileName ?? (bitmap.saysSRGB ? "sRGB" : nil)
    duration = 0
  }
}
