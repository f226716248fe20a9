package import Foundation
package import NukeImaging

/// Whether a damaged image is shown, as far as it can be decoded.
public enum DamageTolerance: String, Sendable, Hashable, Codable, CaseIterable {
  /// A damaged JPEG, PNG, GIF or WebP gives what can be decoded, as in browsers. Other formats are read as with ``strict``.
  case tolerant
  /// A damaged image is an error.
  case strict
}

/// The damage of an image that was decoded nevertheless.
public struct ImageDamage: Sendable, Hashable {
  /// The error that the image is with ``DamageTolerance/strict``.
  public let reason: CodecError
  /// The share of rows that there is data for, above 0 and up to 1. Below the damage, they may have wrong colors. The other
  /// rows are gray in a JPEG, and transparent in other formats.
  public let rowFraction: Double

  package init(reason: CodecError, rowFraction: Double) {
    self.reason = reason
    self.rowFraction = rowFraction
  }
}

extension CodecError {
  /// `true` for data that is damaged or ends early, of which a part may be readable.
  package var isDamage: Bool {
    switch self {
    case .malformed, .truncated: true
    default: false
    }
  }
}

/// An image that a reader cannot open or decode because it is damaged, but of which a part can be decoded.
package struct DamagedImage: Sendable {
  package let header: ImageHeader
  private let data: Data
  private let limits: CodecLimits
  private let reason: CodecError
  private let reader: Reader

  /// What decodes a part: the reader of the format, or one for data that is still arriving.
  private enum Reader: Sendable {
    case jpeg(JPEGReader)
    case gif(GIFReader)
    case incremental
  }

  /// Returns `nil` if the format has no means to decode a part, or the header cannot be read.
  package init?(_ data: Data, limits: CodecLimits, reason: CodecError) {
    guard reason.isDamage else { return nil }
    self.data = data
    self.limits = limits
    self.reason = reason
    switch ImageFormat(sniffing: data) {
    case .jpeg:
      guard let jpeg = try? JPEGReader(data: data, limits: limits) else { return nil }
      (reader, header) = (.jpeg(jpeg), jpeg.header)
    case .gif:
      guard let gif = try? GIFReader(data: data, limits: limits) else { return nil }
      (reader, header) = (.gif(gif), gif.header)
    case .png, .webp:
      guard let header = try? Self.incremental(data, limits)?.header else { return nil }
      (reader, self.header) = (.incremental, header)
    default: return nil
    }
  }

  /// A reader that has been given all data.
  private static func incremental(
    _ data: Data, _ limits: CodecLimits
  ) throws(CodecError) -> (any IncrementalImageReader)? {
    let reader = try IncrementalReaders.reader(forPrefix: data, limits: limits, previewPixelLimit: .max)
    reader?.update(data)
    return reader
  }

  /// The memory that decoding needs, in bytes: the pixels, a copy of them, and what a reader needs beside them.
  package func byteCount(scaleDenominator: Int) -> Int {
    guard case .jpeg(let jpeg) = reader else { return header.storedWidth * header.storedHeight * 8 }
    let (width, height) = jpeg.pixelSize(scaleDenominator: scaleDenominator)
    return width * height * 4 + jpeg.workingByteCount
  }

  package var scaleDenominators: [Int] { if case .jpeg(let jpeg) = reader { jpeg.scaleDenominators } else { [1] } }

  /// Returns the upright image in sRGB, as ``ImageReader/decode(_:)`` does. A PNG or WebP cannot be decoded with another
  /// orientation than its own.
  ///
  /// - Throws: the error of the strict decoder if no row can be decoded.
  package func decode(_ options: DecodeOptions) throws(CodecError) -> (image: Bitmap, damage: ImageDamage) {
    do throws(CodecError) {
      if let (image, rowFraction) = try part(options), rowFraction > 0 {
        return (image, ImageDamage(reason: reason, rowFraction: rowFraction))
      }
    } catch {
      guard error.isDamage else { throw error }
    }
    throw reason
  }

  private func part(_ options: DecodeOptions) throws(CodecError) -> (image: Bitmap, rowFraction: Double)? {
    switch reader {
    case .jpeg(let jpeg): return try jpeg.decodeDamaged(options)
    case .gif(let gif): return try gif.decodeDamaged(options)
    case .incremental:
      guard options.orientation ?? header.orientation == header.orientation else { return nil }
      return try Self.incremental(data, limits)?.nextPreview().map { ($0.bitmap, $0.rowFraction) }
    }
  }
}
