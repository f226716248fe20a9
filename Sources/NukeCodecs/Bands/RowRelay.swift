import NukeImaging

/// Passes the bands of a decoder to a sink.
///
/// Each of our decoders may pass a damaged or unusual file on to a library in the middle of the image. The library
/// starts again with the first row. Rows that the sink already has are dropped, because they have the same pixels.
struct RowRelay {
  private let sink: any RowSink
  private let isCancelled: (@Sendable () -> Bool)?
  private let format: ImageFormat
  private var received = 0
  /// The reason why decoding was stopped.
  private(set) var error: CodecError?

  init(_ sink: any RowSink, _ options: DecodeOptions, _ format: ImageFormat) {
    (self.sink, self.format) = (sink, format)
    isCancelled = options.isCancelled
  }

  /// Passes on the rows that are new.
  ///
  /// - Parameters:
  ///   - band: rows, starting with row `first` of the image.
  ///   - finish: converts the band to the pixels of the sink.
  /// - Returns: `false` to stop decoding.
  mutating func relay(
    _ band: PixelBuffer, first: Int, count: Int, finish: () throws(CodecError) -> Void
  ) -> Bool {
    if isCancelled?() == true {
      error = .cancelled(format)
      return false
    }
    let known = max(received - first, 0)
    guard known < count else { return true }
    do throws(CodecError) {
      try finish()
      try sink.write(band.row(known), count: count - known)
      received = first + count
      return true
    } catch {
      self.error = error
      return false
    }
  }
}
