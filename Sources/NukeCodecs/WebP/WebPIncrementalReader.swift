internal import CNukeWebP
package import Foundation
internal import NukeImaging

/// Creates previews of a WebP file while it arrives: the available rows of a still image, or the first frame of an
/// animated one when that is complete.
///
/// If the header announces EXIF metadata, there is no preview until it has arrived after the pixels, because its
/// orientation may rotate the image.
package final class WebPIncrementalReader: IncrementalImageReader {
  private enum State {
    case header
    case headerIsTooLarge
    case rows(WebPRowDecoder)
    case preview(IncrementalPreview)
    /// Everything was shown.
    case idle
  }

  package private(set) var header: ImageHeader?
  private let limits: CodecLimits
  private var state = State.header
  private var failure: CodecError?
  private var shownRows = 0

  package init(limits: CodecLimits, previewPixelLimit: Int) { self.limits = limits }

  package var headerIsTooLarge: Bool {
    if case .headerIsTooLarge = state { true } else { false }
  }

  package func update(_ data: Data) {
    guard failure == nil else { return }
    do throws(CodecError) {
      switch state {
      case .header: try read(data)
      case .rows(let decoder) where !decoder.isComplete: try read(data)
      case .rows, .headerIsTooLarge, .preview, .idle: break
      }
    } catch {
      failure = error
    }
  }

  private func read(_ data: Data) throws(CodecError) {
    let container = try WebPContainer(data, limits: limits)
    guard (container.frames.first?.data.lowerBound ?? data.count) <= IncrementalReaders.headerLimit else {
      state = .headerIsTooLarge
      return
    }
    guard container.isHeaderComplete, let frame = container.frames.first else { return }
    if header == nil { header = try WebPReader.header(ofPrefix: data) }
    guard let header else { return }
    if container.isAnimated {
      guard !frame.isTruncated else { return }
      let image = try WebPReader(data: data, limits: limits).decode(.init())
      state = .preview(IncrementalPreview(bitmap: image, scanNumber: nil, rowFraction: 1))
      return
    }
    if case .header = state {
      let profile = container.profile(in: data)?.converting
      let rows = try IncrementalRows(header: header, profile: profile, hasAlpha: frame.hasAlpha)
      state = .rows(try data.reading { bytes throws(CodecError) in try WebPRowDecoder(rows, frame, bytes) })
    }
    if case .rows(let decoder) = state {
      try data.reading { bytes throws(CodecError) in try decoder.read(bytes, frame) }
    }
  }

  package func nextPreview() throws(CodecError) -> IncrementalPreview? {
    switch state {
    case .header, .headerIsTooLarge, .idle: break
    case .preview(let preview):
      state = .idle
      return preview
    case .rows(let decoder):
      guard decoder.rowCount > shownRows else { break }
      let preview = try decoder.rows.preview(rowCount: decoder.rowCount)
      shownRows = decoder.rowCount
      if decoder.isComplete { state = .idle }
      return preview
    }
    if let failure { throw failure }
    return nil
  }
}

/// Decodes rows as the data of a frame arrives. It cannot be used after an error.
private final class WebPRowDecoder {
  let rows: IncrementalRows
  private(set) var rowCount = 0
  var isComplete: Bool { rowCount == rows.buffer.height }
  private let decoder: WebPIncrementalDecoder

  init(
    _ rows: IncrementalRows, _ frame: WebPContainer.Frame, _ bytes: UnsafeRawBufferPointer
  ) throws(CodecError) {
    let config = try frame.config(bytes, target: rows.buffer.base, bytesPerRow: rows.buffer.bytesPerRow)
    guard let decoder = WebPIncrementalDecoder(config) else {
      throw .outOfMemory(.webp, byteCount: rows.buffer.byteCount)
    }
    self.rows = rows
    self.decoder = decoder
  }

  func read(_ bytes: UnsafeRawBufferPointer, _ frame: WebPContainer.Frame) throws(CodecError) {
    guard let input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    switch decoder.update(input + frame.data.lowerBound, frame.data.count) {
    case VP8_STATUS_OK: rowCount = rows.buffer.height
    case VP8_STATUS_SUSPENDED: rowCount = decoder.rowCount
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(.webp, byteCount: rows.buffer.byteCount)
    default:
      rowCount = decoder.rowCount
      throw .malformed(.webp, reason: "the image cannot be decoded", offset: frame.data.lowerBound)
    }
  }
}
