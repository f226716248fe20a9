import Foundation
import NukeImaging

/// The frames of an animated PNG, from its chunks (PNG specification, third edition, 11.3.6).
///
/// The specification asks readers to stop at any error in these chunks and to show the default image. A file with wrong
/// sequence numbers, a frame outside of the canvas, a frame without image data or a wrong number of frames therefore
/// has no animation. A truncated file has the frames that are complete.
struct PNGAnimation: Sendable {
  struct Frame: Sendable {
    let area: PixelRect
    /// The delay in seconds.
    let delay: TimeInterval
    let disposal: AnimationCanvas.Disposal
    /// `true` to blend the frame with the canvas; `false` to replace its area.
    let blends: Bool
    /// The position of the first chunk with its image data; `nil` for the default image, and if the file is truncated.
    fileprivate(set) var dataOffset: Int?
    fileprivate(set) var isDefaultImage = false

    fileprivate var hasData: Bool { isDefaultImage || dataOffset != nil }
  }

  /// The contents of `acTL`.
  struct Control: Sendable {
    let frameCount: Int
    /// The number of plays; 0 for an endless animation.
    let loopCount: Int

    /// `nil` for a damaged or invalid chunk. The image is then not animated.
    init?(_ chunk: PNGChunks.Chunk) {
      guard chunk.range.count == 8, chunk.isIntact else { return nil }
      (frameCount, loopCount) = chunk.data.withUnsafeBytes {
        (Int($0.bigEndian32(at: 0)), Int($0.bigEndian32(at: 4)))
      }
      // Numbers of four bytes have 31 bits (7.1).
      guard frameCount > 0, max(frameCount, loopCount) <= Int(Int32.max) else { return nil }
    }
  }

  let loopCount: Int
  private(set) var frames: [Frame] = []
  /// `true` if the file ends before the `IEND` chunk.
  private(set) var isTruncated = false

  private let width: Int
  private let height: Int
  private var sequence = 0
  private var hasDefaultImage = false

  /// Reads all chunks except the image data. `nil` if the file violates the rules.
  ///
  /// - Throws: ``CodecError/tooManyFrames(_:count:limit:)``.
  init?(_ control: Control, in file: Data, width: Int, height: Int, limits: CodecLimits) throws(CodecError) {
    loopCount = control.loopCount
    (self.width, self.height) = (width, height)
    var chunks = PNGChunks(file)
    // Invalid data ends the search. The number of frames then tells whether a frame is missing.
    walk: while let step = try? chunks.next() {
      switch step {
      case .imageData:
        guard addDefaultImage() else { return nil }
        isTruncated = chunks.position > file.count
        if isTruncated { break walk }
      case .chunk(let chunk) where chunk.type == "fcTL":
        guard addFrame(chunk) else { return nil }
        try limits.check(.png, frameCount: frames.count)
      case .chunk(let chunk) where chunk.type == "fdAT":
        guard addData(chunk) else { return nil }
      case .chunk(let chunk):
        if chunk.type == "IEND" { break walk }
      case .end:
        isTruncated = true
        break walk
      }
    }
    guard isTruncated ? frames.count <= control.frameCount : frames.count == control.frameCount && isLastComplete else {
      return nil
    }
  }

  private var isLastComplete: Bool { frames.last?.hasData ?? true }

  /// Adds a frame whose control chunk precedes the default image. That frame is the default image and fills the canvas.
  private mutating func addDefaultImage() -> Bool {
    guard !hasDefaultImage else { return true }
    hasDefaultImage = true
    guard let first = frames.indices.last else { return true }
    frames[first].isDefaultImage = true
    return frames[first].area == PixelRect(x: 0, y: 0, width: width, height: height)
  }

  private mutating func addFrame(_ chunk: PNGChunks.Chunk) -> Bool {
    guard isLastComplete, chunk.range.count == 26, chunk.isIntact else { return false }
    return chunk.data.withUnsafeBytes { bytes in
      guard isNext(bytes) else { return false }
      let area = PixelRect(
        x: Int(bytes.bigEndian32(at: 12)), y: Int(bytes.bigEndian32(at: 16)), width: Int(bytes.bigEndian32(at: 4)),
        height: Int(bytes.bigEndian32(at: 8)))
      guard !area.isEmpty, area.clipped(toWidth: width, height: height) == area,
        let disposal = disposal(bytes[24]), bytes[25] <= 1
      else { return false }
      let (numerator, denominator) = (bytes.bigEndian16(at: 20), bytes.bigEndian16(at: 22))
      // A denominator of 0 means 1/100 s.
      let delay = Animation.delay(stated: Double(numerator) / Double(denominator == 0 ? 100 : denominator))
      frames.append(Frame(area: area, delay: delay, disposal: disposal, blends: bytes[25] == 1))
      return true
    }
  }

  private func disposal(_ number: UInt8) -> AnimationCanvas.Disposal? {
    switch number {
    case 0: .keep
    case 1: .clear
    // There is no previous canvas to restore before the first frame.
    case 2: frames.isEmpty ? .clear : .restorePrevious
    default: nil
    }
  }

  private mutating func addData(_ chunk: PNGChunks.Chunk) -> Bool {
    guard hasDefaultImage, let last = frames.indices.last, !frames[last].isDefaultImage, chunk.range.count >= 4,
      chunk.data.withUnsafeBytes({ isNext($0) })
    else { return false }
    if frames[last].dataOffset == nil { frames[last].dataOffset = chunk.offset }
    return true
  }

  /// Checks the sequence number at the beginning of a chunk of the animation.
  private mutating func isNext(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard Int(bytes.bigEndian32(at: 0)) == sequence else { return false }
    sequence += 1
    return true
  }
}

extension PNGPreamble {
  /// Returns the frames of the announced animation; `nil` if there is none, or if it violates the rules.
  func frames(in file: Data, limits: CodecLimits) throws(CodecError) -> PNGAnimation? {
    guard let animation else { return nil }
    return try PNGAnimation(
      animation, in: file, width: header.storedWidth, height: header.storedHeight, limits: limits)
  }

  /// Returns the header of an image with these frames.
  func header(of animation: PNGAnimation?) -> ImageHeader {
    var header = header
    (header.frameCount, header.loopCount, header.duration) = (1, 1, 0)
    guard let animation, animation.frames.count > 1 else { return header }
    header.frameCount = animation.frames.count
    header.loopCount = animation.loopCount
    header.duration = animation.frames.reduce(0) { $0 + $1.delay }
    return header
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }
}
