internal import CNukeCodecs
import Foundation

extension PNGWriter: RowWriter {
  /// `nil` if the smallest format of the pixels may have a palette or few bits, which only the whole image tells, or if
  /// colors are reduced.
  ///
  /// Rows are written with 8 bits a sample, and with alpha if the source has an alpha channel.
  package func rowByteCount(width: Int, height: Int, _ contents: RowContents) -> Int? {
    guard maximumColorCount == nil, !contents.hasFewColors, (try? Self.check(width: width, height: height)) != nil
    else { return nil }
    // The rows of a band, filtered and compressed; twice as much while a method is selected; and the state of the
    // compression, twice as well.
    let state = compressionLevel == 8 ? 6 << 20 : 1 << 20
    return 5 * max(width * 4 * 8, 1 << 20) + width * 16 + 2 * state
  }

  package func rowSink(
    width: Int, height: Int, _ contents: RowContents, to output: RowOutput
  ) throws(CodecError) -> any RowSink {
    try Self.check(width: width, height: height)
    return try PNGRowSink(self, width: width, height: height, contents, output)
  }
}

private final class PNGRowSink: RowSink {
  private let layout: PNGLayout
  private let output: RowOutput
  private let encoder: OpaquePointer
  private let width: Int
  private let memoryError: CodecError

  init(
    _ writer: PNGWriter, width: Int, height: Int, _ contents: RowContents, _ output: RowOutput
  ) throws(CodecError) {
    let layout = PNGLayout(UnsafeBufferPointer(start: nil, count: 0), width: width, form: PNGForm(contents))
    let memoryError = PNGWriter.outOfMemory(width: width, height: min(height, 8))
    let write: nuke_png_write = { context, bytes, count in
      guard let context else { return 0 }
      let output = Unmanaged<RowOutput>.fromOpaque(context).takeUnretainedValue()
      return output.write(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
    }
    let encoder = writer.chunks(layout.form).withUnsafeBytes { chunks in
      var description = writer.description(layout.form, width: width, height: height, chunks: chunks)
      description.longest_chunk = Int(Int32.max)
      return nuke_png_row_encoder_create(&description, write, Unmanaged.passUnretained(output).toOpaque())
    }
    guard let encoder else { throw memoryError }
    (self.layout, self.output, self.encoder) = (layout, output, encoder)
    (self.width, self.memoryError) = (width, memoryError)
  }

  deinit { nuke_png_row_encoder_free(encoder) }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError) {
    for row in 0..<count {
      let source = UnsafeRawPointer(rows + row * width * 4).assumingMemoryBound(to: UInt32.self)
      layout.fill(nuke_png_row_encoder_next(encoder), from: UnsafeBufferPointer(start: source, count: width))
      switch nuke_png_row_encoder_add(encoder) {
      case NUKE_PNG_OK: continue
      case NUKE_PNG_NO_MEMORY: throw memoryError
      default: throw .encodingFailed(.png, reason: "the file cannot be written")
      }
    }
  }
}
