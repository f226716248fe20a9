public import Foundation
public import NukeImaging

/// Reads Windows icons, as used by web sites, and cursors.
///
/// An icon contains an image in several sizes. The reader returns the largest according to the directory. Of several,
/// it returns the one with the most bits per pixel, and then the first. It may be a PNG, or a bitmap with a
/// transparency mask. A 32-bit bitmap has alpha, and its mask is used only if all alpha values are 0.
public struct ICOReader: ImageReader {
  public static let format = ImageFormat.ico

  public let header: ImageHeader
  private let content: Content

  private enum Content: Sendable {
    case png(PNGReader)
    case bitmap(ICOBitmap)
  }

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    guard let entry = try Self.directory(of: data)?.best else { throw .truncated(.ico, byteCount: data.count) }
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
    guard let directory = try directory(of: data), directory.isDecided, let entry = directory.best,
      entry.range.lowerBound < data.count
    else { return nil }
    let image = data.slice(entry.range.clamped(to: 0..<data.count))
    guard image.count >= PNGChunks.signatureLength else { return nil }
    if ImageFormat(sniffing: image) == .png { return try PNGReader.header(ofPrefix: image).map(header(ofPNG:)) }
    return try ICOBitmap(image).map(header(of:))
  }

  /// Returns `nil` if the data ends before the directory does.
  private static func directory(of data: Data) throws(CodecError) -> ICODirectory? {
    guard data.count >= 6 else { return nil }
    try ImageFormat.ico.checkSignature(data)
    return data.withUnsafeBytes { ICODirectory($0) }
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

  public var workingByteCount: Int { if case .png(let reader) = content { reader.workingByteCount } else { 0 } }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    switch content {
    case .png(let reader): try reader.decode(options)
    case .bitmap(let bitmap): try bitmap.decode(options)
    }
  }
}
