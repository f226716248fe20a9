public import Foundation

/// Creates PNG files, and repairs their checksums.
public enum PNGFile {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns the file with correct checksums in all chunks. The fuzzer cannot find them by chance, and would never
  /// reach the code after them.
  public static func withRightChecksums(_ data: Data) -> Data? {
    var bytes = [UInt8](data)
    guard bytes.starts(with: signature) else { return nil }
    var offset = 8
    var isChanged = false
    while offset + 12 <= bytes.count {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - offset - 12 else { break }
      let end = offset + 8 + length
      let right = bigEndian(checksum(bytes[offset + 4..<end]))
      if !bytes[end..<end + 4].elementsEqual(right) {
        bytes.replaceSubrange(end..<end + 4, with: right)
        isChanged = true
      }
      offset = end + 4
    }
    return isChanged ? Data(bytes) : nil
  }

  /// Returns the same file with an unknown chunk after its header, whose checksum is wrong; `nil` if the file does not
  /// begin with a complete header of 13 bytes. A longer one would swallow the chunk.
  public static func withDamagedChunk(_ data: Data) -> Data? {
    let headerEnd = 33
    guard data.count > headerEnd, data.starts(with: signature + [0, 0, 0, 13]) else { return nil }
    var damaged = chunk("fuZz", [0])
    damaged[damaged.count - 1] ^= 1
    return data.prefix(headerEnd) + damaged + data.dropFirst(headerEnd)
  }

  /// Returns a file with these chunks after the header. The image data is stored without compression.
  public static func file(
    width: UInt32, height: UInt32, bitDepth: UInt8, colorType: UInt8, isInterlaced: Bool,
    chunks: [(name: String, bytes: [UInt8])], filteredRows: [UInt8]
  ) -> Data {
    var bytes = signature
    bytes += chunk(
      "IHDR", bigEndian(width) + bigEndian(height) + [bitDepth, colorType, 0, 0, isInterlaced ? 1 : 0])
    for (name, content) in chunks { bytes += chunk(name, content) }
    bytes += chunk("IDAT", stored(filteredRows))
    bytes += chunk("IEND", [])
    return Data(bytes)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body[...]))
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4).
  public static func stored(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(content.count - start, 65_535)
      let isLast: UInt8 = start + count == content.count ? 1 : 0
      stream += [isLast, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
      stream += content[start..<start + count]
      start += count
    } while start < content.count
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in content {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + bigEndian(b << 16 | a)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }

  /// CRC-32 (PNG specification, second edition, annex D).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }
}
