package import Foundation
internal import NukeImaging

/// Shows the first frame of a GIF as soon as it is complete, and no others.
package final class GIFIncrementalReader: IncrementalImageReader {
  private enum State {
    case header
    /// The next data block of the first frame begins at `offset`.
    case blocks(offset: Int)
    case preview(IncrementalPreview)
    case headerIsTooLarge
    case idle
    case failed(CodecError)
  }

  package private(set) var header: ImageHeader?
  private let limits: CodecLimits
  private var state = State.header

  package init(limits: CodecLimits, previewPixelLimit: Int) { self.limits = limits }

  package var headerIsTooLarge: Bool {
    if case .headerIsTooLarge = state { true } else { false }
  }

  package func update(_ data: Data) {
    do throws(CodecError) {
      if case .header = state { try readHeader(data) }
      if case .blocks(let offset) = state { try readBlocks(data, from: offset) }
    } catch {
      state = .failed(error)
    }
  }

  private func readHeader(_ data: Data) throws(CodecError) {
    let structure = try GIFStructure(data, limits: limits)
    guard (structure.frames.first?.dataOffset ?? data.count) <= IncrementalReaders.headerLimit else {
      state = .headerIsTooLarge
      return
    }
    guard let frame = structure.frames.first else { return }
    header = try GIFReader.header(ofPrefix: data)
    state = .blocks(offset: frame.dataOffset + 1)
  }

  private func readBlocks(_ data: Data, from offset: Int) throws(CodecError) {
    let (end, isComplete) = data.withUnsafeBytes { bytes in
      var cursor = GIFCursor(bytes: bytes, offset: offset)
      let isComplete = cursor.skipBlocks()
      return (cursor.offset, isComplete)
    }
    guard isComplete else {
      state = .blocks(offset: end)
      return
    }
    let image = try GIFReader(data: data, limits: limits).decode(.init())
    state = .preview(IncrementalPreview(bitmap: image, scanNumber: nil, rowFraction: 1))
  }

  package func nextPreview() throws(CodecError) -> IncrementalPreview? {
    switch state {
    case .failed(let error): throw error
    case .preview(let preview):
      state = .idle
      return preview
    case .header, .blocks, .headerIsTooLarge, .idle: return nil
    }
  }
}
