internal import CNukeCodecs
import Foundation
import NukeBase
public import NukeImaging

extension JPEGReader {
  public func decode(_ options: DecodeOptions = .init()) throws(CodecError) -> Bitmap {
    try decode(options, by: .any)
  }

  /// The decoder to use. All produce the same pixels.
  package enum Decoder {
    /// Our own decoder, and libjpeg-turbo for files that it does not support.
    case any
    /// Only our own decoder. Files that it does not support fail with ``CodecError/unsupported(_:feature:)``.
    case own
    case libjpeg

    fileprivate var shimValue: nuke_jpeg_decoder {
      switch self {
      case .any: NUKE_JPEG_DECODER_ANY
      case .own: NUKE_JPEG_DECODER_OWN
      case .libjpeg: NUKE_JPEG_DECODER_LIBRARY
      }
    }
  }

  /// - Parameter threadCount: the number of threads, 1 or 2; `nil` to use a second one if a processor is idle and the
  ///   image large. With 2, the first one waits until the image is divided.
  package func decode(
    _ options: DecodeOptions, by decoder: Decoder, threadCount: Int? = nil
  ) throws(CodecError) -> Bitmap {
    guard scaleDenominators.contains(options.scaleDenominator) else {
      throw .unsupported(.jpeg, feature: "a reduction to 1/\(options.scaleDenominator)")
    }
    let stored = try IdleProcessors.shared.use(atMost: threadCount ?? usefulThreadCount) {
      idleCount throws(CodecError) in
      try decodeStored(options, decoder, threadCount: threadCount ?? idleCount, waits: threadCount == 2)
    }
    try convertColors(of: stored, options)
    return try stored.upright(options.orientation ?? header.orientation, isOpaque: true, .jpeg)
  }

  /// The threads that make decoding faster. Those of smaller images would take longer to start than they save.
  private var usefulThreadCount: Int { markers.frame.width * markers.frame.height >= 2 << 20 ? 2 : 1 }

  /// The pixels as the file stores them: RGBA, or inverted CMYK.
  ///
  /// - Parameter outcome: receives what was tolerated; `nil` to tolerate no damage.
  private func decodeStored(
    _ options: DecodeOptions, _ decoder: Decoder, threadCount: Int, waits: Bool,
    tolerant outcome: UnsafeMutablePointer<nuke_jpeg_outcome>? = nil
  ) throws(CodecError) -> PixelBuffer {
    let (frame, denominator) = (markers.frame, options.scaleDenominator)
    let width = (frame.width + denominator - 1) / denominator
    let height = (frame.height + denominator - 1) / denominator
    let buffer = try PixelBuffer.allocate(.jpeg, width: width, height: height)
    try withUnsafePointer(to: options) { options throws(CodecError) in
      var decoding = decoding(to: buffer, scaleDenominator: denominator, decoder)
      decoding.thread_count = UInt32(threadCount)
      decoding.waits_for_division = waits
      decoding.tolerant = outcome != nil
      if options.pointee.isCancelled != nil {
        decoding.context = UnsafeMutableRawPointer(mutating: options)
        decoding.is_cancelled = { context in
          context?.assumingMemoryBound(to: DecodeOptions.self).pointee.isCancelled?() ?? false
        }
      }
      let result = try run(decoding)
      outcome?.pointee = result
    }
    return buffer
  }

  /// Decodes what a damaged file has. libjpeg continues after damage where it can; rows without data are gray.
  ///
  /// - Returns: the image, and the share of its rows that there is data for.
  func decodeDamaged(_ options: DecodeOptions) throws(CodecError) -> (image: Bitmap, rowFraction: Double) {
    var outcome = nuke_jpeg_outcome()
    let stored = try decodeStored(options, .libjpeg, threadCount: 1, waits: false, tolerant: &outcome)
    try convertColors(of: stored, options)
    let image = try stored.upright(options.orientation ?? header.orientation, isOpaque: true, .jpeg)
    return (image, Double(outcome.covered_rows) / Double(stored.height))
  }

  /// The settings for decoding into `buffer`, without data.
  func decoding(to buffer: PixelBuffer, scaleDenominator: Int, _ decoder: Decoder) -> nuke_jpeg_decoding {
    let frame = markers.frame
    var decoding = nuke_jpeg_decoding()
    decoding.width = UInt32(frame.width)
    decoding.height = UInt32(frame.height)
    decoding.scale_denominator = UInt32(scaleDenominator)
    decoding.cmyk = header.colorModel == .cmyk
    decoding.memory_limit = frame.coefficientByteCount + Self.memoryBesideCoefficients
    decoding.scan_limit = UInt32(frame.scanLimit)
    decoding.pixels = buffer.base
    decoding.stride = buffer.bytesPerRow
    decoding.decoder = decoder.shimValue
    return decoding
  }

  /// Decodes the data.
  @discardableResult
  func run(_ decoding: nuke_jpeg_decoding) throws(CodecError) -> nuke_jpeg_outcome {
    var (decoding, outcome) = (decoding, nuke_jpeg_outcome())
    data.withUnsafeBytes { bytes in
      decoding.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      decoding.size = bytes.count
      nuke_jpeg_decode(&decoding, &outcome)
    }
    if let error = CodecError(outcome, byteCount: data.count) { throw error }
    return outcome
  }

  /// The maximum memory of libjpeg's tables and rows, far above what images with sides of 16,384 pixels need.
  static let memoryBesideCoefficients = 64 << 20

  /// Converts stored colors to opaque sRGB.
  ///
  /// - Parameter rowCount: the number of rows; `nil` for all of the buffer.
  func convertColors(of buffer: PixelBuffer, rowCount: Int? = nil, _ options: DecodeOptions) throws(CodecError) {
    let height = rowCount ?? buffer.height
    let isCMYK = header.colorModel == .cmyk
    guard isCMYK || profile != nil else { return }
    // Large enough that checking for cancellation costs nothing, and small enough that the rows stay in the CPU cache
    // between the steps.
    let rowsAtOnce = max(1, 16_384 / buffer.width)
    for top in stride(from: 0, to: height, by: rowsAtOnce) {
      if options.isCancelled?() == true { throw .cancelled(.jpeg) }
      let (pixels, count) = (buffer.row(top), min(rowsAtOnce, height - top) * buffer.width)
      if !isCMYK {
        profile?.convertToSRGB(pixels, pixelCount: count, isOpaque: true)
      } else if let profile {
        for index in 0..<count * 4 { pixels[index] = 255 - pixels[index] }
        if !profile.convertCMYKToSRGB(pixels, to: pixels, pixelCount: count) {
          for index in 0..<count * 4 { pixels[index] = 255 - pixels[index] }
          Self.multiplyInks(pixels, count)
        }
      } else {
        Self.multiplyInks(pixels, count)
      }
    }
  }

  /// Converts inverted CMYK to RGBA without a profile: the stored values are the light that each ink reflects, and are
  /// multiplied with that of black.
  static func multiplyInks(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int) {
    var pixel = pixels
    for _ in 0..<count {
      let black = UInt32(pixel[3])
      for channel in 0..<3 {
        let product = UInt32(pixel[channel]) * black + 128
        pixel[channel] = UInt8((product + product >> 8) >> 8)
      }
      pixel[3] = 255
      pixel += 4
    }
  }
}

extension JPEGMarkers.Frame {
  /// The maximum number of scans. Encoders write about a dozen. Each scan costs time for every block even if it is
  /// empty, and far more with arithmetic coding, where missing data counts as zeros.
  var scanLimit: Int {
    min(500, max(64, 4_000_000_000 / (width * height))) / (isArithmetic ? 4 : 1)
  }
}

extension CodecError {
  /// `nil` if decoding succeeded.
  init?(_ outcome: nuke_jpeg_outcome, byteCount: Int) {
    switch outcome.status {
    case NUKE_JPEG_OK: return nil
    case NUKE_JPEG_TRUNCATED: self = .truncated(.jpeg, byteCount: byteCount)
    case NUKE_JPEG_UNSUPPORTED: self = .unsupported(.jpeg, feature: outcome.words)
    case NUKE_JPEG_NO_MEMORY: self = .outOfMemory(.jpeg, byteCount: byteCount)
    case NUKE_JPEG_STOPPED: self = .cancelled(.jpeg)
    case NUKE_JPEG_DECLINED: self = .unsupported(.jpeg, feature: "a variant that only libjpeg decodes")
    default: self = .malformed(.jpeg, reason: outcome.words, offset: Int(outcome.offset))
    }
  }
}

extension nuke_jpeg_outcome {
  /// The library's message.
  var words: String { String(characters: message) }
}
