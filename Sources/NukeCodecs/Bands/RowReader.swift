package import NukeImaging

/// A reader that can decode an image in bands of rows, so that memory does not grow with the number of rows.
package protocol RowReader: ImageReader {
  /// `true` if the image can be decoded in bands; `false` if decoding needs all of its pixels or coefficients at once,
  /// as for interlaced PNG and progressive JPEG.
  var decodesRows: Bool { get }
  /// The properties that all rows share.
  var rowContents: RowContents { get }

  /// The maximum number of rows of a band.
  var bandRowCount: Int { get }

  /// Returns the memory that decoding in bands needs, in bytes.
  func rowByteCount(scaleDenominator: Int) -> Int

  /// Decodes the image in its stored orientation, from top to bottom. The rows and errors are those of
  /// ``ImageReader/decode(_:)``.
  ///
  /// - Returns: `true` if every pixel was opaque.
  func decodeRows(_ options: DecodeOptions, to sink: any RowSink) throws(CodecError) -> Bool
}

/// The properties that all rows of an image share, known from its header.
package struct RowContents: Sendable, Hashable {
  /// `true` if every pixel is gray.
  package var isGray: Bool
  /// `true` if every pixel is opaque.
  package var isOpaque: Bool
  /// `true` if pixels are stored in fewer than 8 bits or as indices into a palette.
  package var hasFewColors: Bool
}

/// Receives an image as rows from top to bottom.
package protocol RowSink: AnyObject {
  /// Receives the next rows.
  ///
  /// - Parameter rows: premultiplied RGBA in sRGB, without padding between rows, valid during the call. At least
  ///   ``MemoryPool/padding`` bytes after the last pixel are readable.
  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError)
}

extension ImageReader {
  /// Decodes, crops and resizes the image in bands.
  ///
  /// - Returns: the image; `nil` if its format or this file cannot be decoded in bands.
  package func decodeInBands(_ options: DecodeOptions, _ sampling: RowSampling) throws(CodecError) -> Bitmap? {
    guard let reader = self as? any RowReader, reader.decodesRows else { return nil }
    let result = try PixelBuffer.allocate(
      Self.format, width: sampling.outputWidth, height: sampling.outputHeight)
    let sink = BitmapSink(result)
    let isOpaque = try reader.decodeRows(options, to: SamplingSink(sampling, sink, Self.format))
    return Bitmap(result, isOpaque: isOpaque)
  }
}

/// Crops and resizes rows.
final class SamplingSink: RowSink {
  private let sampler: RowSampler
  private let next: any RowSink

  init(_ sampling: RowSampling, _ next: any RowSink, _ format: ImageFormat) throws(CodecError) {
    guard let sampler = RowSampler(sampling) else { throw .outOfMemory(format, byteCount: sampling.byteCount) }
    (self.sampler, self.next) = (sampler, next)
  }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError) {
    try sampler.receive(rows, count: count) { row throws(CodecError) in try next.write(row, count: 1) }
  }
}

/// Collects rows.
private final class BitmapSink: RowSink {
  private let buffer: PixelBuffer
  private var received = 0

  init(_ buffer: PixelBuffer) { self.buffer = buffer }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) {
    buffer.row(received).update(from: rows, count: count * buffer.bytesPerRow)
    received += count
  }
}
