public import Foundation
public import NukeImaging

/// Reads Windows icons, as web sites have them.
///
/// An icon holds one image in several sizes. What is read is the largest as the icon's directory has it; of equal ones
/// that with the most bits a pixel, and of those the first. It may be a PNG, or a bitmap with a mask of transparent
/// pixels; a bitmap of 32 bits a pixel has alpha, and its mask counts only where all alpha is 0.
public struct ICOReader: ImageReader {
  public static let format = ImageFormat.ico

  public let header: ImageHeader
  private let content: Content

  private enum Content: Sendable {
    case png(PNGReader)
    case bitmap(ICOBitmap)
  }

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    guard let entry = try Self.bestEntry(of: data) else { throw .truncated(.ico, byteCount: data.count) }
    guard entry.range.upperBound <= data.count else { throw .truncated(.ico, byteCount: data.count) }
    let image = data.slice(entry.range)
    if ImageFormat(sniffing: image) == .png {
      let reader = try PNGReader(data: image, limits: limits)
      header = Self.header(ofPNG: reader.header)
      content = .png(reader)
    } else {
      guard let bitmap = try ICOBitmap(image) else { throw .truncated(.ico, byteCount: data.count) }
      try limits.check(.ico, width: bitmap.header.width, height: bitmap.header.height)
      header = Self.header(of: bitmap)
      content = .bitmap(bitmap)
    }
  }

  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    guard let entry = try bestEntry(of: data), entry.range.lowerBound < data.count else { return nil }
    let image = data.slice(entry.range.clamped(to: 0..<data.count))
    guard image.count >= PNGChunks.signatureLength else { return nil }
    if ImageFormat(sniffing: image) == .png { return try PNGReader.header(ofPrefix: image).map(header(ofPNG:)) }
    return try ICOBitmap(image).map(header(of:))
  }

  /// `nil` if the data ends before the directory does.
  private static func bestEntry(of data: Data) throws(CodecError) -> ICODirectory.Entry? {
    guard data.count >= 6 else { return nil }
    try ImageFormat.ico.checkSignature(data)
    return data.withUnsafeBytes { ICODirectory($0)?.best }
  }

  private static func header(ofPNG header: ImageHeader) -> ImageHeader {
    var header = header
    header.format = .ico
    return header
  }

  private static func header(of bitmap: ICOBitmap) -> ImageHeader {
    var header = ImageHeader(bitmap.header, format: .ico, profileName: nil)
    header.hasAlpha = true
    return header
  }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    switch content {
    case .png(let reader): try reader.decode(options)
    case .bitmap(let bitmap): try bitmap.decode(options)
    }
  }
}
