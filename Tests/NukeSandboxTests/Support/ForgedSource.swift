import Foundation
import Testing

/// Makes data with the XXH64 checksum of other data, as anyone can without a search: all steps of XXH64 can be inverted.
enum ForgedSource {
  // The primes of XXH64 by their numbers.
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns 16 bytes that begin with the eight bytes of `start`, and whose checksum is that of `data`, which has 16 bytes.
  static func data(withChecksumOf data: Data, beginningWith start: UInt64) throws -> Data {
    try #require(data.count == 16)
    let lanes = data.withUnsafeBytes { bytes in
      [0, 8].map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
    }
    // The second lane makes up for what the first one changes.
    let end = unmixed(state(after: lanes[0]) ^ mixed(lanes[1]) ^ state(after: start))
    return withUnsafeBytes(of: (start.littleEndian, end.littleEndian)) { Data($0) }
  }

  private static func state(after lane: UInt64) -> UInt64 {
    rotated((prime5 &+ 16) ^ mixed(lane), left: 27) &* prime1 &+ prime4
  }

  private static func mixed(_ lane: UInt64) -> UInt64 { rotated(lane &* prime2, left: 31) &* prime1 }

  private static func unmixed(_ number: UInt64) -> UInt64 {
    rotated(number &* inverse(of: prime1), left: 33) &* inverse(of: prime2)
  }

  private static func rotated(_ number: UInt64, left count: UInt64) -> UInt64 {
    number << count | number >> (64 - count)
  }

  /// Returns the factor that undoes a multiplication modulo 2⁶⁴, by Newton's method.
  private static func inverse(of odd: UInt64) -> UInt64 {
    (0..<6).reduce(odd) { inverse, _ in inverse &* (2 &- odd &* inverse) }
  }
}
