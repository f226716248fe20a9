package import NukeImaging

/// Decodes, crops, resizes and encodes an image in bands of rows.
///
/// A band passes all steps before the next one is decoded. Memory is proportional to the width of the image, and to the
/// height only through the rows that a large reduction averages: see ``byteCount``.
///
/// JPEG files have the bytes, and PNG files the pixels, of decoding, resizing and encoding whole images. PNG files are
/// not compressed as well: they have no palettes and no fewer than 8 bits, and methods are selected by the first rows.
package struct BandTranscoder: Sendable {
  private let reader: any RowReader
  private let scaleDenominator: Int
  private let sampling: RowSampling
  private let writer: any RowWriter

  /// The memory for all steps, in bytes, at most. The source's file and the written bytes are not included.
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
  /// - Throws: ``CodecError`` as reading and writing do; the errors of `write`.
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

  /// The number of pixels of a source from which bands are preferred to whole images. JPEG files have the same bytes and
  /// take less time. Others have more bytes or take more time, so that only memory is a reason.
  package static func leastPixelCount(writing format: ImageFormat?) -> Int {
    format == .jpeg ? 1_000_000 : 16_000_000
  }

  /// The number of pixels from which waking a second thread is worthwhile.
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
