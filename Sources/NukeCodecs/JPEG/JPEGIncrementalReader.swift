internal import CNukeCodecs
package import Foundation
package import NukeImaging

/// Delivers previews of a JPEG while it is downloaded: after each scan if there are several scans (progressive or not),
/// else the rows so far.
///
/// A preview of scans contains all complete scans and the available part of the next one. If several scans arrive at
/// once, only the newest is rendered. Blocks are not smoothed. In a preview of rows, the rest of the image is
/// transparent; rows are decoded once, into memory that the reader keeps. The reduction, 1 to 1/8, is chosen from the
/// pixel limit before the first scan, because libjpeg cannot change it between scans.
///
/// Images with arithmetic coding have no previews, because libjpeg cannot read them incrementally.
package final class JPEGIncrementalReader: IncrementalImageReader {
  /// The maximum number of bytes before the first scan, 256 KB. If metadata such as camera notes, depth maps or printer
  /// profiles takes more, previews would come too late to be of use; a thumbnail in the first 64 KB is available
  /// sooner.
  package static let headerLimit = 256 << 10

  private enum State {
    case header
    case headerIsTooLarge
    /// Neither more data nor more time produces another preview.
    case idle
    case pixels(JPEGReader, JPEGPushDecoder)
    case failed(CodecError)
  }

  package private(set) var header: ImageHeader?
  private let limits: CodecLimits
  private let previewPixelLimit: Int
  private let tolerance: DamageTolerance
  private var state = State.header
  /// The TIFF block of the EXIF segment.
  private var exif: Data?
  /// The number of scans or rows in the last preview.
  private var shown = 0

  package convenience init(limits: CodecLimits, previewPixelLimit: Int) {
    self.init(limits: limits, previewPixelLimit: previewPixelLimit, tolerance: .strict)
  }

  init(limits: CodecLimits, previewPixelLimit: Int, tolerance: DamageTolerance) {
    self.limits = limits
    self.previewPixelLimit = previewPixelLimit
    self.tolerance = tolerance
  }

  package var headerIsTooLarge: Bool {
    if case .headerIsTooLarge = state { true } else { false }
  }

  package func embeddedThumbnail() -> Bitmap? {
    guard
      let exif, let file = EXIF.embeddedThumbnail(tiff: exif), let reader = try? JPEGReader(data: file, limits: limits),
      let image = try? reader.decode(), let buffer = image.buffer
    else { return nil }
    // The thumbnail has the orientation of the image, unless it has its own.
    guard reader.header.exif?.orientation == nil, let orientation = EXIF(tiff: exif)?.orientation else {
      return image
    }
    return orientation.apply(to: buffer).map { Bitmap($0, isOpaque: true) }
  }

  package func update(_ data: Data) {
    do throws(CodecError) {
      if case .header = state { try readHeader(data) }
      if case .pixels(_, let decoder) = state { try decoder.read(data) }
    } catch {
      state = .failed(error)
    }
  }

  private func readHeader(_ data: Data) throws(CodecError) {
    if exif == nil, let range = data.withUnsafeBytes({ JPEGMarkers.exif(inPrefix: $0) }) {
      exif = Data([UInt8](data.slice(range)))
    }
    let markers = try data.reading { bytes throws(CodecError) in try JPEGMarkers(bytes) }
    guard (markers?.firstScan ?? data.count) <= Self.headerLimit else {
      state = .headerIsTooLarge
      return
    }
    // The first bytes of the scan header tell how many components it has.
    guard let markers, data.count >= markers.firstScan + 3 else { return }
    let reader = try JPEGReader(data: Data([UInt8](data.prefix(markers.firstScan + 3))), limits: limits)
    header = reader.header
    guard !markers.frame.isArithmetic else {
      state = .idle
      return
    }
    let denominators = reader.scaleDenominators
    let denominator = denominators.first { denominator in
      let size = reader.pixelSize(scaleDenominator: denominator)
      return size.width * size.height <= previewPixelLimit
    }
    state = .pixels(
      reader,
      try JPEGPushDecoder(
        markers.frame, hasSeveralScans: reader.workingByteCount > 0,
        scaleDenominator: denominator ?? denominators.last ?? 1, tolerance))
  }

  package func nextPreview() throws(CodecError) -> IncrementalPreview? {
    switch state {
    case .failed(let error): throw error
    case .header, .headerIsTooLarge, .idle: return nil
    case .pixels(let reader, let decoder):
      guard decoder.progress > shown else { return nil }
      do throws(CodecError) {
        let preview = try decoder.preview(of: reader)
        shown = decoder.progress
        return preview
      } catch {
        state = .failed(error)
        throw error
      }
    }
  }
}

/// A decoder of libjpeg that receives data as it arrives. It must not be used after an error.
private final class JPEGPushDecoder {
  private let handle: OpaquePointer
  private let width: Int
  private let height: Int
  /// The buffer for the rows of an image with one scan.
  private let rows: PixelBuffer?
  /// The number of complete scans, or of complete rows if there is one scan.
  private(set) var progress = 0

  init(
    _ frame: JPEGMarkers.Frame, hasSeveralScans: Bool, scaleDenominator: Int, _ tolerance: DamageTolerance
  ) throws(CodecError) {
    width = (frame.width + scaleDenominator - 1) / scaleDenominator
    height = (frame.height + scaleDenominator - 1) / scaleDenominator
    var settings = nuke_jpeg_decoding()
    settings.width = UInt32(frame.width)
    settings.height = UInt32(frame.height)
    settings.scale_denominator = UInt32(scaleDenominator)
    settings.cmyk = frame.components.count == 4
    settings.memory_limit = JPEGReader.memoryBesideCoefficients
    settings.scan_limit = UInt32(frame.scanLimit)
    settings.tolerant = tolerance == .tolerant
    rows = hasSeveralScans ? nil : try PixelBuffer.allocate(.jpeg, width: width, height: height)
    if let rows {
      settings.pixels = rows.base
      settings.stride = rows.bytesPerRow
    } else {
      settings.memory_limit += frame.coefficientByteCount
    }
    guard let handle = nuke_jpeg_previews_create(&settings) else {
      throw .outOfMemory(.jpeg, byteCount: settings.memory_limit)
    }
    self.handle = handle
  }

  deinit { nuke_jpeg_previews_free(handle) }

  func read(_ data: Data) throws(CodecError) {
    var outcome = nuke_jpeg_outcome()
    let progress = data.withUnsafeBytes { bytes in
      nuke_jpeg_previews_read(handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &outcome)
    }
    self.progress = Int(progress)
    if let error = CodecError(outcome, byteCount: data.count) { throw error }
  }

  /// Returns the data decoded so far as an upright image, with the color conversion of `reader`.
  func preview(of reader: JPEGReader) throws(CodecError) -> IncrementalPreview {
    let buffer = try PixelBuffer.allocate(.jpeg, width: width, height: height)
    let rowCount = rows == nil ? height : progress
    let (filled, missing) = (rowCount * buffer.bytesPerRow, (height - rowCount) * buffer.bytesPerRow)
    if let rows {
      buffer.base.update(from: rows.base, count: filled)
      (buffer.base + filled).update(repeating: 0, count: missing)
    } else {
      var outcome = nuke_jpeg_outcome()
      nuke_jpeg_previews_render(handle, buffer.base, buffer.bytesPerRow, &outcome)
      if let error = CodecError(outcome, byteCount: 0) { throw error }
    }
    try reader.convertColors(of: buffer, .init())
    // The conversion makes all pixels opaque.
    (buffer.base + filled).update(repeating: 0, count: missing)
    let upright = try buffer.upright(reader.header.orientation, isOpaque: rowCount == height, .jpeg)
    return IncrementalPreview(
      bitmap: upright, scanNumber: rows == nil ? progress : nil, rowFraction: Double(rowCount) / Double(height))
  }
}
