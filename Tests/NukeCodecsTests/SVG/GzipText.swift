import CNukeCodecs
import Foundation

/// Text in the form of gzip (RFC 1952), written without a library.
enum GzipText {
  private static let head = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])

  /// Returns a text in blocks that are not compressed (RFC 1951 §3.2.4).
  static func stored(_ text: Data) -> Data {
    var result = head
    var rest = text
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      for count in [UInt16(block.count), ~UInt16(block.count)] {
        withUnsafeBytes(of: count.littleEndian) { result.append(contentsOf: $0) }
      }
      result.append(block)
    } while !rest.isEmpty
    let sum = text.withUnsafeBytes { nuke_png_crc($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
    for number in [sum, UInt32(text.count)] {
      withUnsafeBytes(of: number.littleEndian) { result.append(contentsOf: $0) }
    }
    return result
  }

  /// Returns the beginning of data whose text repeats the last byte of `start`, in blocks with the fixed codes
  /// (RFC 1951 §3.2.6), at least `count` times.
  static func repeating(_ start: [UInt8], count: Int) -> Data {
    var result = head + Data([0])
    for length in [UInt16(start.count), ~UInt16(start.count)] {
      withUnsafeBytes(of: length.littleEndian) { result.append(contentsOf: $0) }
    }
    result += start
    // The last block, and then a length of 258 and a distance of 1 again and again.
    var bits = [true, true, false]
    let match = [true, true, false, false, false, true, false, true, false, false, false, false, false]
    for _ in 0...count / 258 {
      bits += match
      while bits.count >= 8 {
        result.append(bits[..<8].reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
        bits.removeFirst(8)
      }
    }
    return result
  }
}
