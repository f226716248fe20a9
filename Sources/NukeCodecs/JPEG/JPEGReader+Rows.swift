internal import CNukeCodecs
import NukeImaging

extension JPEGReader: RowReader {
  /// `false` for several scans: their coefficients must be complete before the first row.
  package var decodesRows: Bool { workingByteCount == 0 }

  package var rowContents: RowContents {
    RowContents(
      isGray: header.colorModel == .gray && profile?.model ?? .gray == .gray, isOpaque: true, hasFewColors: false)
  }

  package var bandRowCount: Int { Int(NUKE_JPEG_BAND_ROWS) }

  package func rowByteCount(scaleDenominator: Int) -> Int {
    // The band, and four bytes a pixel for the samples and tables of either decoder.
    let frame = markers.frame
    let width = (frame.width + scaleDenominator - 1) / scaleDenominator
    return width * bandRowCount * 4 + frame.width * 32 * 4 + (2 << 20)
  }

  package func decodeRows(_ options: DecodeOptions, to sink: any RowSink) throws(CodecError) -> Bool {
    try decodeRows(options, by: .any, to: sink)
  }

  package func decodeRows(
    _ options: DecodeOptions, by decoder: Decoder, to sink: any RowSink
  ) throws(CodecError) -> Bool {
    guard scaleDenominators.contains(options.scaleDenominator) else {
      throw .unsupported(.jpeg, feature: "a reduction to 1/\(options.scaleDenominator)")
    }
    let width = (markers.frame.width + options.scaleDenominator - 1) / options.scaleDenominator
    let bands = Bands(
      self, try PixelBuffer.allocate(.jpeg, width: width, height: bandRowCount), options, sink)
    var decoding = decoding(to: bands.buffer, scaleDenominator: options.scaleDenominator, decoder)
    decoding.context = Unmanaged.passUnretained(bands).toOpaque()
    decoding.rows = { context, first, count in
      guard let context else { return false }
      return Unmanaged<Bands>.fromOpaque(context).takeUnretainedValue().finish(first: Int(first), count: Int(count))
    }
    do throws(CodecError) {
      try withExtendedLifetime(bands) { () throws(CodecError) in _ = try run(decoding) }
    } catch {
      throw bands.relay.error ?? error
    }
    return true
  }

  private final class Bands {
    let buffer: PixelBuffer
    private(set) var relay: RowRelay
    private let reader: JPEGReader
    private let options: DecodeOptions

    init(_ reader: JPEGReader, _ buffer: PixelBuffer, _ options: DecodeOptions, _ sink: any RowSink) {
      (self.reader, self.buffer, self.options) = (reader, buffer, options)
      relay = RowRelay(sink, options, .jpeg)
    }

    func finish(first: Int, count: Int) -> Bool {
      relay.relay(buffer, first: first, count: count) { () throws(CodecError) in
        try reader.convertColors(of: buffer, rowCount: count, options)
      }
    }
  }
}
