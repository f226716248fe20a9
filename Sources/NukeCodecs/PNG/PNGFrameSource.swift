import Foundation
import NukeImaging

/// Decodes the frames of an animated PNG in order. For one thread at a time.
///
/// Each frame is decoded as a separate PNG with the size of the frame, the palette, and its image data. All color types
/// are therefore supported, at the speed of still images. In addition to the canvas, this needs memory for a copy of
/// the compressed frame.
final class PNGFrameSource: AnimationFrameSource {
  private let file: Data
  private let reader: PNGReader
  private let animation: PNGAnimation
  /// The chunks of the file that all frames need.
  private let chunks: (header: Data, palette: Data)
  private var canvas: AnimationCanvas
  private var index = 0

  /// - Parameter reader: the reader of the default image.
  init(_ file: Data, reader: PNGReader, animation: PNGAnimation) {
    self.file = file
    self.reader = reader
    self.animation = animation
    chunks = Self.sharedChunks(of: file)
    canvas = AnimationCanvas(format: .png, width: reader.header.storedWidth, height: reader.header.storedHeight)
  }

  private static func sharedChunks(of file: Data) -> (header: Data, palette: Data) {
    var (walk, header, palette) = (PNGChunks(file), Data(), Data())
    while case .chunk(let chunk)? = try? walk.next() {
      switch chunk.type {
      case "IHDR": header = chunk.data
      // 256 colors of three components. Every frame gets a copy.
      case "PLTE" where chunk.range.count <= 768, "tRNS" where chunk.range.count <= 256:
        guard palette.count < 2048 else { continue }
        palette += file.slice(chunk.offset..<chunk.range.upperBound + 4)
      default: continue
      }
    }
    return (header, palette)
  }

  func rewind() {
    canvas.reset()
    index = 0
  }

  func nextFrame() throws -> Bitmap? { try next() }

  private func next() throws(CodecError) -> Bitmap? {
    guard index < animation.frames.count else { return nil }
    let frame = animation.frames[index]
    let layer = try decode(frame)
    let image = try canvas.draw(layer, in: frame.area, blends: frame.blends, disposal: frame.disposal)
    index += 1
    return try image.upright(reader.header.orientation, .png)
  }

  private func decode(_ frame: PNGAnimation.Frame) throws(CodecError) -> Bitmap {
    if frame.isDefaultImage { return try reader.decode(DecodeOptions(orientation: .up)) }
    guard let offset = frame.dataOffset else { throw .truncated(.png, byteCount: file.count) }
    let (still, isTruncated) = try still(frame, from: offset)
    do throws(CodecError) {
      return try PNGReader(frame: still, width: frame.area.width, height: frame.area.height, of: reader)
        .decode(DecodeOptions(orientation: .up))
    } catch {
      switch error {
      case .truncated,
        .malformed where isTruncated:
        throw .truncated(.png, byteCount: file.count)
      case .malformed(_, let reason, _):
        throw .malformed(.png, reason: "frame \(index): \(reason)", offset: offset)
      default:
        throw error
      }
    }
  }

  /// Returns the frame as a PNG, without an end if the file is truncated.
  private func still(_ frame: PNGAnimation.Frame, from offset: Int) throws(CodecError) -> (Data, isTruncated: Bool) {
    var header = Data()
    for side in [frame.area.width, frame.area.height] {
      withUnsafeBytes(of: UInt32(side).bigEndian) { header.append(contentsOf: $0) }
    }
    header.append(chunks.header.dropFirst(8))
    var still = Data(file.prefix(PNGChunks.signatureLength)) + PNGChunks.encoded("IHDR", header) + chunks.palette
    var walk = PNGChunks(file, from: offset)
    while let step = try? walk.next() {
      switch step {
      case .chunk(let chunk) where chunk.type == "fdAT":
        guard chunk.isIntact else {
          throw .malformed(.png, reason: "frame \(index): fdAT: CRC error", offset: chunk.offset)
        }
        // The sequence number is skipped.
        still.append(PNGChunks.encoded("IDAT", chunk.data.dropFirst(4)))
      case .chunk(let chunk) where chunk.type == "fcTL" || chunk.type == "IEND":
        return (still + PNGChunks.encoded("IEND", Data()), false)
      case .chunk, .imageData:
        continue
      case .end:
        return (still, true)
      }
    }
    return (still + PNGChunks.encoded("IEND", Data()), false)
  }
}
