internal import CNukeCodecs
import Foundation

extension JPEGWriter: RowWriter {
  /// `nil` for progressive coding and optimized tables, which need all coefficients.
  package func rowByteCount(width: Int, height: Int, _ contents: RowContents) -> Int? {
    guard let encoding = try? encoding(width: width, height: height, isOpaque: true), !encoding.optimize else {
      return nil
    }
    // Sixteen rows of samples before and after subsampling, and the buffer of the file.
    return width * 16 * 8 + (1 << 20)
  }

  package func rowSink(
    width: Int, height: Int, _ contents: RowContents, to output: RowOutput
  ) throws(CodecError) -> any RowSink {
    try JPEGRowSink(
      try encoding(width: width, height: height, isOpaque: contents.isOpaque), metadata: metadata, output)
  }
}

private final class JPEGRowSink: RowSink {
  /// The target of libjpeg's callback.
  private final class Target {
    let output: RowOutput
    var metadata: ImageMetadata?

    init(_ output: RowOutput, _ metadata: ImageMetadata) { (self.output, self.metadata) = (output, metadata) }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let metadata, !metadata.isEmpty else { return output.write(bytes) }
      // The first piece contains all segments before the image.
      self.metadata = nil
      return metadata.embedded(inJPEG: Data(bytes)).withUnsafeBytes(output.write)
    }
  }

  private let target: Target
  private let encoder: OpaquePointer
  private let bytesPerRow: Int

  init(_ encoding: nuke_jpeg_encoding, metadata: ImageMetadata, _ output: RowOutput) throws(CodecError) {
    let target = Target(output, metadata)
    var (encoding, outcome) = (encoding, nuke_jpeg_outcome())
    let write: nuke_jpeg_write = { context, bytes, count in
      guard let context else { return false }
      return Unmanaged<Target>.fromOpaque(context).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    guard
      let encoder = nuke_jpeg_encoder_create(&encoding, write, Unmanaged.passUnretained(target).toOpaque(), &outcome)
    else { throw .encodingFailed(.jpeg, reason: outcome.words) }
    (self.target, self.encoder) = (target, encoder)
    bytesPerRow = Int(encoding.width) * 4
  }

  deinit { nuke_jpeg_encoder_free(encoder) }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError) {
    var outcome = nuke_jpeg_outcome()
    nuke_jpeg_encoder_write(encoder, rows, bytesPerRow, UInt32(count), &outcome)
    guard outcome.status == NUKE_JPEG_OK else { throw .encodingFailed(.jpeg, reason: outcome.words) }
  }
}
