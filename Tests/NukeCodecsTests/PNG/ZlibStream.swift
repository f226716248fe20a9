import Foundation

/// Streams of RFC 1950 as no compressor writes them: stored, or one byte repeated as densely as can be.
enum ZlibStream {
  /// - Parameter bytes: less than 64 KiB.
  static func stored(_ bytes: [UInt8]) -> Data {
    let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
    return Data([0x78, 0x01, 1, low, high, ~low, ~high] + bytes) + checksum(bytes)
  }

  /// - Parameter matches: how many times 258 bytes follow the first.
  static func repeated(_ byte: UInt8, matches: Int) -> Data {
    precondition(byte < 144, "others have codes of nine bits")
    var bits: [UInt8] = [1, 1, 0]
    func add(code: Int, count: Int) { bits += (0..<count).reversed().map { UInt8(code >> $0 & 1) } }
    // RFC 1951, 3.2.6: a literal, lengths of 258 at the distance 1, the end.
    add(code: 0x30 + Int(byte), count: 8)
    for _ in 0..<matches {
      add(code: 0b1100_0101, count: 8)
      add(code: 0, count: 5)
    }
    add(code: 0, count: 7)
    let packed = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 }
    }
    return Data([0x78, 0xDA] + packed) + checksum(repeatElement(byte, count: 1 + 258 * matches))
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> Data {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return withUnsafeBytes(of: (high << 16 | low).bigEndian) { Data($0) }
  }
}
