internal import CNukeCodecs
import Foundation

/// Iterates over the chunks of a PNG (PNG specification, 5.3): length, type, data and checksum each.
///
/// Data is copied only on access to ``Chunk/data``, and nothing is inflated, so the cost for a hostile file depends
/// only on the number of chunks.
struct PNGChunks {
  struct Chunk {
    /// Four letters, such as "IHDR".
    let type: String
    /// The range of the chunk's data in the file.
    let range: Range<Int>
    fileprivate let file: Data

    /// The position of the chunk, which errors state.
    var offset: Int { range.lowerBound - 8 }

    var data: Data { file.slice(range) }

    /// `true` if the stored checksum of type and data is correct.
    var isIntact: Bool {
      file.withUnsafeBytes { bytes in
        let covered = UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound - 4..<range.upperBound])
        let crc = nuke_png_crc(covered.assumingMemoryBound(to: UInt8.self).baseAddress, covered.count)
        return crc == bytes.bigEndian32(at: range.upperBound)
      }
    }
  }

  enum Step {
    case chunk(Chunk)
    /// The beginning of the image data. The chunk may be incomplete.
    case imageData(offset: Int)
    /// The end of the available data. `missing` is the minimum number of bytes that the next chunk still needs.
    case end(missing: Int)
  }

  /// The eight bytes of a PNG's signature.
  static let signatureLength = 8

  private let file: Data
  /// The position of the next chunk.
  private(set) var position: Int

  /// - Parameter position: the position of a chunk.
  init(_ file: Data, from position: Int = Self.signatureLength) {
    self.file = file
    self.position = position
  }

  mutating func next() throws(CodecError) -> Step {
    guard file.count - position >= 8 else { return .end(missing: position + 8 - file.count) }
    let (length, type) = file.withUnsafeBytes { bytes in
      (Int(bytes.bigEndian32(at: position)), Self.type(bytes[position + 4..<position + 8]))
    }
    guard let type else { throw .malformed(.png, reason: "the chunk type is invalid", offset: position) }
    guard length <= Int(Int32.max) else {
      throw .malformed(.png, reason: "the chunk \(type) has an invalid length of \(length) bytes", offset: position)
    }
    let start = position + 8
    if type == "IDAT" {
      defer { position = start + length + 4 }
      return .imageData(offset: position)
    }
    let end = start + length
    guard file.count - end >= 4 else { return .end(missing: end + 4 - file.count) }
    position = end + 4
    return .chunk(Chunk(type: type, range: start..<end, file: file))
  }

  /// Returns a chunk as stored in a file: length, type, content and checksum.
  static func encoded(_ type: String, _ content: Data) -> Data {
    let covered = Data(type.utf8) + content
    let checksum = covered.withUnsafeBytes { bytes in
      nuke_png_crc(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
    }
    var chunk = Data()
    withUnsafeBytes(of: UInt32(content.count).bigEndian) { chunk.append(contentsOf: $0) }
    chunk.append(covered)
    withUnsafeBytes(of: checksum.bigEndian) { chunk.append(contentsOf: $0) }
    return chunk
  }

  /// The type of a chunk, or `nil` if the bytes are not letters.
  private static func type(_ letters: Slice<UnsafeRawBufferPointer>) -> String? {
    guard letters.allSatisfy({ (0x41...0x5A).contains($0 & ~0x20) }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }
}
