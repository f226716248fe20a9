import Foundation
import NukeImaging

/// Decodes the frames of a GIF in order. For one thread at a time.
final class GIFFrameSource: AnimationFrameSource {
  private let data: Data
  private let structure: GIFStructure
  private let limits: CodecLimits
  private let isCancelled: () -> Bool
  /// `true` to draw the rows of a frame that are complete if it is damaged.
  private let isTolerant: Bool
  private let decoder = LZWDecoder()
  private var codes: [UInt8] = []
  private var canvas: AnimationCanvas
  private var index = 0
  /// The share of rows that the last frame has.
  private(set) var rowFraction = 1.0

  init(
    data: Data, structure: GIFStructure, limits: CodecLimits, isTolerant: Bool = false,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.isTolerant = isTolerant
    self.data = data
    self.structure = structure
    self.limits = limits
    self.isCancelled = isCancelled
    canvas = AnimationCanvas(format: .gif, width: structure.width, height: structure.height)
  }

  func rewind() {
    canvas.reset()
    index = 0
  }

  func nextFrame() throws -> Bitmap? { try next() }

  func next() throws(CodecError) -> Bitmap? {
    guard index < structure.frames.count else { return nil }
    let frame = structure.frames[index]
    let image = try data.reading { bytes throws(CodecError) in try draw(frame, from: bytes) }
    index += 1
    return image
  }

  private func draw(_ frame: GIFStructure.Frame, from bytes: UnsafeRawBufferPointer) throws(CodecError) -> Bitmap {
    let visible = frame.area.clipped(toWidth: canvas.width, height: canvas.height)
    guard !visible.isEmpty else {
      return try canvas.draw(in: visible, coverage: .partial, disposal: frame.disposal) { _ throws(CodecError) in }
    }
    let frameRowCount = structure.unpackedRowCount(frame)
    try limits.check(.gif, width: frame.area.width, height: frameRowCount)
    let rowCount = try unpack(frame, from: bytes, rowCount: frameRowCount)
    rowFraction = Double(rowCount) / Double(frameRowCount)
    if isCancelled() { throw .cancelled(.gif) }

    let palette = try Palette(frame, bytes: bytes)
    let pixels = decoder.pixels
    let skipsTransparent = frame.transparentIndex != nil && !canvas.isBlank
    let coverage: AnimationCanvas.Coverage =
      rowCount < frameRowCount
      ? .partial : frame.transparentIndex == nil ? .opaque : skipsTransparent ? .partial : .complete
    return try canvas.draw(in: visible, coverage: coverage, disposal: frame.disposal) { buffer throws(CodecError) in
      let rows = frame.isInterlaced ? InterlacedRows(height: frame.area.height) : nil
      for row in 0..<rowCount {
        let y = frame.area.y + (rows?[row] ?? row)
        guard y < visible.y + visible.height else { continue }
        let target = UnsafeMutableRawPointer(buffer.row(y)).assumingMemoryBound(to: UInt32.self) + visible.x
        let source = pixels + row * frame.area.width
        if skipsTransparent {
          palette.drawOver(source, to: target, count: visible.width)
        } else {
          palette.draw(source, to: target, count: visible.width)
        }
      }
    }
  }

  /// Joins the frame's data blocks and unpacks them into the decoder's pixels.
  ///
  /// - Returns: the number of rows; `rowCount` unless damage is tolerated.
  private func unpack(
    _ frame: GIFStructure.Frame, from bytes: UnsafeRawBufferPointer, rowCount: Int
  ) throws(CodecError) -> Int {
    let pixelCount = frame.area.width * rowCount
    var cursor = GIFCursor(bytes: bytes, offset: frame.dataOffset)
    guard let literalBits = cursor.uint8() else { throw .truncated(.gif, byteCount: bytes.count) }
    guard 1...8 ~= literalBits else {
      throw .malformed(.gif, reason: "an invalid LZW code size of \(literalBits) bits", offset: frame.dataOffset)
    }
    codes.removeAll(keepingCapacity: true)
    var isComplete = false
    while let block = cursor.block() {
      if block.isEmpty {
        isComplete = true
        break
      }
      codes.append(contentsOf: bytes[block])
    }
    if !isComplete, cursor.offset + 1 < bytes.count {
      codes.append(contentsOf: bytes[(cursor.offset + 1)...])
    }
    codes.append(contentsOf: repeatElement(0, count: 8))

    guard decoder.reserve(pixelCount) else { throw .outOfMemory(.gif, byteCount: pixelCount) }
    var unpacked = 0
    do {
      unpacked = try codes.withUnsafeBufferPointer { codes throws(LZWDecoder.Failure) in
        try decoder.decode(
          UnsafeRawBufferPointer(codes), literalBits: Int(literalBits), count: pixelCount, isCancelled: isCancelled)
      }
    } catch {
      switch error {
      case .cancelled: throw .cancelled(.gif)
      case .undefinedCode(let count) where isTolerant && count >= frame.area.width:
        unpacked = count
      case .undefinedCode:
        throw .malformed(.gif, reason: "frame \(index) contains an undefined LZW code", offset: frame.dataOffset)
      }
    }
    guard unpacked == pixelCount else {
      if isTolerant, unpacked >= frame.area.width { return unpacked / frame.area.width }
      if !isComplete { throw .truncated(.gif, byteCount: bytes.count) }
      throw .malformed(
        .gif, reason: "frame \(index) ends after \(unpacked) of \(pixelCount) pixels", offset: frame.dataOffset)
    }
    return rowCount
  }
}

/// The colors of a frame as pixels: opaque, except for the transparent one, which is 0.
private struct Palette {
  private let colors: [UInt32]

  init(_ frame: GIFStructure.Frame, bytes: UnsafeRawBufferPointer) throws(CodecError) {
    guard let range = frame.colors else {
      throw .malformed(.gif, reason: "a frame has no color table", offset: frame.dataOffset)
    }
    guard range.upperBound <= bytes.count else { throw .truncated(.gif, byteCount: bytes.count) }
    // Indices past the end of the palette are black, as in browsers.
    var colors = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
    for (index, offset) in stride(from: range.lowerBound, to: range.upperBound, by: 3).enumerated() {
      let color = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      colors[index] = UInt32(littleEndian: color | 0xFF00_0000)
    }
    if let transparent = frame.transparentIndex { colors[Int(transparent)] = 0 }
    self.colors = colors
  }

  func draw(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt32>, count: Int) {
    colors.withUnsafeBufferPointer { colors in
      let colors = colors.baseAddress!
      for x in 0..<count { target[x] = colors[Int(source[x])] }
    }
  }

  func drawOver(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt32>, count: Int) {
    colors.withUnsafeBufferPointer { colors in
      let colors = colors.baseAddress!
      for x in 0..<count {
        let color = colors[Int(source[x])]
        target[x] = color == 0 ? target[x] : color
      }
    }
  }
}

/// Maps the stored rows of an interlaced frame to rows of the image (appendix E).
private struct InterlacedRows {
  private let rows: [Int]

  init(height: Int) {
    var rows: [Int] = []
    rows.reserveCapacity(height)
    for (start, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
      rows.append(contentsOf: stride(from: start, to: height, by: step))
    }
    self.rows = rows
  }

  subscript(stored: Int) -> Int { rows[stored] }
}
