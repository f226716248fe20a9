import NukeBase
package import NukeImaging

/// Decodes, crops, resizes and encodes an image in bands of rows.
///
/// A band passes all steps before the next one is decoded. The memory depends on the width of the image, and not on its
/// height, except that a large reduction averages more rows: see ``byteCount``.
///
/// A JPEG file is identical, byte for byte, to one that is encoded from the whole image. A PNG file has identical
/// pixels, but is larger: it always has 8 bits per channel and no palette, and only the first rows decide the
/// compression methods.
package struct BandTranscoder: Sendable {
  private let reader: any RowReader
  private let scaleDenominator: Int
  private let sampling: RowSampling
  private let writer: any RowWriter

  /// The maximum memory for all steps, in bytes, excluding the source's file and the written file.
  package let byteCount: Int

  /// Returns `nil` if the reader, the writer or its options need the whole image.
  ///
  /// - Parameters:
  ///   - scaleDenominator: one of the reader's ``ImageReader/scaleDenominators``.
  ///   - sampling: the crop and resize of the image in its stored orientation, decoded at the reduction.
  package init?(
    _ reader: any ImageReader, scaleDenominator: Int = 1, sampling: RowSampling, writer: any ImageWriter
  ) {
    guard let reader = reader as? any RowReader, reader.decodesRows, let writer = writer as? any RowWriter,
      let encoding = writer.rowByteCount(
        width: sampling.outputWidth, height: sampling.outputHeight, reader.rowContents)
    else { return nil }
    (self.reader, self.scaleDenominator, self.sampling, self.writer) = (reader, scaleDenominator, sampling, writer)
    byteCount =
      reader.rowByteCount(scaleDenominator: scaleDenominator) + sampling.byteCount + encoding
      + PipelinedSink.byteCount(width: sampling.sourceWidth, rowCount: reader.bandRowCount)
  }

  /// Transcodes the image. If a processor is idle, a second thread encodes while this one decodes.
  ///
  /// - Parameters:
  ///   - isCancelled: called between bands. If it returns `true`, throws ``CodecError/cancelled(_:)``.
  ///   - write: receives the file in pieces. After an error of the source, it has received a part of the file.
  /// - Throws: ``CodecError`` if reading or writing fails, or the error that `write` throws.
  package func run(
    isCancelled: (@Sendable () -> Bool)? = nil, write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let output = RowOutput(write)
    do throws(CodecError) {
      let encoder = try writer.rowSink(
        width: sampling.outputWidth, height: sampling.outputHeight, reader.rowContents, to: output)
      let options = DecodeOptions(
        scaleDenominator: scaleDenominator, orientation: .up, isCancelled: isCancelled)
      try decode(options, to: SamplingSink(sampling, encoder, type(of: reader).format))
    } catch {
      throw output.error ?? error
    }
  }

  /// The minimum number of pixels of a source for which bands are preferred to whole images. For JPEG, bands produce
  /// the same file in less time. For other formats, they produce a larger file or take more time, and only save memory.
  package static func leastPixelCount(writing format: ImageFormat?) -> Int {
    format == .jpeg ? 1_000_000 : 16_000_000
  }

  /// The minimum number of pixels for which a second thread saves more time than waking it takes.
  private static let leastPipelinedPixelCount = 1_000_000

  private func decode(_ options: DecodeOptions, to sink: any RowSink) throws(CodecError) {
    let (width, height) = (sampling.sourceWidth, sampling.sourceHeight)
    let threadCount = width * height >= Self.leastPipelinedPixelCount ? 2 : 1
    try IdleProcessors.shared.use(atMost: threadCount) { threadCount throws(CodecError) in
      guard threadCount > 1 else {
        _ = try reader.decodeRows(options, to: sink)
        return
      }
      let pipelined = try PipelinedSink(
        sink, width: width, rowCount: reader.bandRowCount, type(of: reader).format)
      try pipelined.run { () throws(CodecError) in _ = try reader.decodeRows(options, to: pipelined) }
    }
  }
}
