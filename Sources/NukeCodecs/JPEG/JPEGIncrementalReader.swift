internal import CNukeCodecs
package import Foundation
package import NukeImaging

/// Shows a JPEG of several scans, progressive or not, after each of them.
///
/// A preview holds all scans that are complete, and the part that has come of the one after them; where several came at
/// once only the newest is made. Nothing is smoothed between blocks. The reduction, 1 to 1/8, is settled by the pixel
/// limit before the first scan, since libjpeg cannot change it between two.
///
/// A picture in one scan gives no previews, and neither does one in arithmetic coding, which libjpeg cannot read piece
/// by piece.
package final class JPEGIncrementalReader: IncrementalImageReader {
  /// The most bytes before the first scan, 256 KB. Where more stand there (camera notes, depth maps, profiles of
  /// printers) previews would come too late to be of use; a thumbnail in the first 64 KB is there sooner.
  package static let headerLimit = 256 << 10

  private enum State {
    case header
    case headerIsTooLarge
    /// Neither more data nor more time gives another preview.
    case idle
    case scans(JPEGReader, JPEGScanDecoder)
    case failed(CodecError)
  }

  package private(set) var header: ImageHeader?
  private let limits: CodecLimits
  private let previewPixelLimit: Int
  private var state = State.header
  /// The TIFF block of the EXIF segment.
  private var exif: Data?
  private var shownScans = 0

  package init(limits: CodecLimits, previewPixelLimit: Int) {
    self.limits = limits
    self.previewPixelLimit = previewPixelLimit
  }

  package var headerIsTooLarge: Bool {
    if case .headerIsTooLarge = state { true } else { false }
  }

  package func embeddedThumbnail() -> Bitmap? {
    guard
      let exif, let file = EXIF.embeddedThumbnail(tiff: exif), let reader = try? JPEGReader(data: file, limits: limits),
      let picture = try? reader.decode(), let buffer = picture.buffer
    else { return nil }
    // It lies like the picture, unless it says something else of itself.
    guard reader.header.exif?.orientation == nil, let orientation = EXIF(tiff: exif)?.orientation else {
      return picture
    }
    return orientation.apply(to: buffer).map { Bitmap($0, isOpaque: true) }
  }

  package func update(_ data: Data) {
    do throws(CodecError) {
      if case .header = state { try readHeader(data) }
      if case .scans(_, let decoder) = state { try decoder.read(data) }
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
    guard reader.workingByteCount > 0, !markers.frame.isArithmetic else {
      state = .idle
      return
    }
    let denominators = reader.scaleDenominators
    let denominator = denominators.first { denominator in
      let size = reader.pixelSize(scaleDenominator: denominator)
      return size.width * size.height <= previewPixelLimit
    }
    state = .scans(reader, try JPEGScanDecoder(markers.frame, scaleDenominator: denominator ?? denominators.last ?? 1))
  }

  package func nextPreview() throws(CodecError) -> IncrementalPreview? {
    switch state {
    case .failed(let error): throw error
    case .header, .headerIsTooLarge, .idle: return nil
    case .scans(let reader, let decoder):
      let scanCount = decoder.completeScanCount
      guard scanCount > shownScans else { return nil }
      do throws(CodecError) {
        let picture = try decoder.picture(of: reader)
        shownScans = scanCount
        return IncrementalPreview(bitmap: picture, scanNumber: scanCount, rowFraction: 1)
      } catch {
        state = .failed(error)
        throw error
      }
    }
  }
}

/// A decoder of libjpeg that gathers coefficients. It is not used again after an error.
private final class JPEGScanDecoder {
  private let handle: OpaquePointer
  private let width: Int
  private let height: Int
  private(set) var completeScanCount = 0

  init(_ frame: JPEGMarkers.Frame, scaleDenominator: Int) throws(CodecError) {
    var settings = NukeJPEGDecoding()
    settings.width = UInt32(frame.width)
    settings.height = UInt32(frame.height)
    settings.scale_denominator = UInt32(scaleDenominator)
    settings.cmyk = frame.components.count == 4
    settings.memory_limit = frame.coefficientByteCount + JPEGReader.memoryBesideCoefficients
    settings.scan_limit = UInt32(frame.scanLimit)
    guard let handle = nuke_jpeg_previews_create(&settings) else {
      throw .outOfMemory(.jpeg, byteCount: frame.coefficientByteCount)
    }
    self.handle = handle
    width = (frame.width + scaleDenominator - 1) / scaleDenominator
    height = (frame.height + scaleDenominator - 1) / scaleDenominator
  }

  deinit { nuke_jpeg_previews_free(handle) }

  func read(_ data: Data) throws(CodecError) {
    var outcome = NukeJPEGOutcome()
    let scans = data.withUnsafeBytes { bytes in
      nuke_jpeg_previews_read(handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &outcome)
    }
    completeScanCount = Int(scans)
    if let error = CodecError(outcome, byteCount: data.count) { throw error }
  }

  /// The upright picture of what was read, its colours converted as `reader` does.
  func picture(of reader: JPEGReader) throws(CodecError) -> Bitmap {
    guard let buffer = PixelBuffer(width: width, height: height) else {
      throw .outOfMemory(.jpeg, byteCount: width * height * 4)
    }
    var outcome = NukeJPEGOutcome()
    nuke_jpeg_previews_render(handle, buffer.base, buffer.bytesPerRow, &outcome)
    if let error = CodecError(outcome, byteCount: 0) { throw error }
    try reader.convertColors(of: buffer, .init())
    guard let upright = reader.header.orientation.apply(to: buffer) else {
      throw .outOfMemory(.jpeg, byteCount: buffer.byteCount)
    }
    return Bitmap(upright, isOpaque: true)
  }
}
