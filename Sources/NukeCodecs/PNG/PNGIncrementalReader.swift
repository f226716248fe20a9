internal import CNukeCodecs
package import Foundation
internal import NukeImaging

/// Delivers previews of a PNG while it is downloaded: after each of the seven passes of an interlaced image, with
/// unknown pixels filled from the nearest known one; for other images, the rows so far. An orientation stored after the
/// image data is not applied.
package final class PNGIncrementalReader: IncrementalImageReader {
  private enum State {
    case header
    case headerIsTooLarge
    case pixels(PNGPushDecoder)
  }

  package private(set) var header: ImageHeader?
  private let limits: CodecLimits
  private var state = State.header
  private var failure: CodecError?
  /// The number of passes of an interlaced image, or of rows, in the last preview.
  private var shown = 0

  package init(limits: CodecLimits, previewPixelLimit: Int) { self.limits = limits }

  package var headerIsTooLarge: Bool {
    if case .headerIsTooLarge = state { true } else { false }
  }

  package func update(_ data: Data) {
    guard failure == nil else { return }
    do throws(CodecError) {
      if case .header = state { try readHeader(data) }
      if case .pixels(let decoder) = state { try decoder.read(data) }
    } catch {
      failure = error
    }
  }

  private func readHeader(_ data: Data) throws(CodecError) {
    guard data.count >= PNGChunks.signatureLength else { return }
    try ImageFormat.png.checkSignature(data)
    // The push reader buffers an incomplete chunk and copies it each time that it grows, except image data. Nothing is
    // therefore pushed before the image data begins.
    let imageData = try offsetOfImageData(data)
    guard (imageData ?? data.count) <= IncrementalReaders.headerLimit else {
      state = .headerIsTooLarge
      return
    }
    guard imageData != nil, let preamble = try PNGPreamble(prefix: data) else { return }
    header = preamble.header
    try limits.check(.png, width: preamble.header.storedWidth, height: preamble.header.storedHeight)
    state = .pixels(try PNGPushDecoder(preamble))
  }

  private func offsetOfImageData(_ data: Data) throws(CodecError) -> Int? {
    var chunks = PNGChunks(data)
    while true {
      switch try chunks.next() {
      case .chunk: continue
      case .imageData(let offset): return offset
      case .end: return nil
      }
    }
  }

  package func nextPreview() throws(CodecError) -> IncrementalPreview? {
    switch state {
    case .header, .headerIsTooLarge: break
    case .pixels(let decoder):
      let isInterlaced = decoder.rows.header.isProgressive
      let count = isInterlaced ? decoder.completePassCount : decoder.rowCount
      guard count > shown else { break }
      let preview =
        isInterlaced
        ? try decoder.rows.preview(rowCount: decoder.rows.buffer.height, scanNumber: count)
        : try decoder.rows.preview(rowCount: count)
      shown = count
      return preview
    }
    if let failure { throw failure }
    return nil
  }
}

/// A decoder of libpng that receives data as it arrives. It must not be used after an error.
private final class PNGPushDecoder {
  let rows: IncrementalRows
  private let handle: OpaquePointer
  private var position = 0
  private var progress = nuke_png_progress()

  var completePassCount: Int { Int(progress.complete_passes) }
  var rowCount: Int { Int(progress.rows) }

  init(_ preamble: PNGPreamble) throws(CodecError) {
    let header = preamble.header
    rows = try IncrementalRows(
      header: header, profile: preamble.profile, deepColors: preamble.deepColors, hasAlpha: header.hasAlpha)
    guard
      let handle = nuke_png_previews_create(
        UInt32(header.storedWidth), UInt32(header.storedHeight), preamble.deepColors == nil ? 8 : 16, rows.buffer.base)
    else { throw .outOfMemory(.png, byteCount: rows.buffer.byteCount) }
    self.handle = handle
  }

  deinit { nuke_png_previews_free(handle) }

  func read(_ data: Data) throws(CodecError) {
    guard position < data.count, progress.finished == 0 else { return }
    let result = data.withUnsafeBytes { bytes in
      let new = UnsafeRawBufferPointer(rebasing: bytes[position...])
      return nuke_png_previews_read(handle, new.assumingMemoryBound(to: UInt8.self).baseAddress, new.count, &progress)
    }
    position = data.count
    switch result.status {
    case NUKE_PNG_OK: return
    case NUKE_PNG_NO_MEMORY: throw .outOfMemory(.png, byteCount: rows.buffer.byteCount)
    default: throw .malformed(.png, reason: result.words, offset: nil)
    }
  }
}
