#if Server
  import Foundation

  /// Data of RFC 1951 that says one byte again and again: 1032 bytes for each of its own, which is the most there is.
  struct Deflated {
    private(set) var bytes = Data()
    private var pending: UInt32 = 0
    private var pendingCount: UInt32 = 0

    /// - Parameters:
    ///   - start: stands before, as it is; its last byte is repeated. Less than 64 KiB, and not empty.
    ///   - repeats: how often; rounded up to a multiple of 1032.
    init(_ start: [UInt8], repeats: Int) {
      // Stored, and not the last block.
      bytes = Data([0, UInt8(start.count & 255), UInt8(start.count >> 8)])
      bytes += [UInt8(~start.count & 255), UInt8((~start.count >> 8) & 255)] + start
      // A last block with codes of its own: one bit for a length of 258, one for the distance 1, one for the end.
      add(0b101, 3)
      // 286 lengths and one distance are told, by codes for 18 (zeros follow) and 1.
      add(29, 5)
      add(0, 5)
      add(14, 4)
      for length in [0, 0, 1] + Array(repeating: 0, count: 14) + [1] { add(UInt32(length), 3) }
      addZeros(138)
      addZeros(118)
      add(0, 1)
      addZeros(28)
      add(0, 1)
      add(0, 1)
      // Up to a whole byte, then whole bytes.
      var left = (repeats + 1031) / 1032 * 4
      while pendingCount != 0 {
        addMatch()
        left -= 1
      }
      bytes += Data(repeating: 0x55, count: max(0, left / 4))
      for _ in 0..<max(0, left % 4) { addMatch() }
      add(0, 1)
      add(0, 7)
    }

    private mutating func addMatch() { add(0b01, 2) }

    private mutating func addZeros(_ count: UInt32) {
      add(1, 1)
      add(count - 11, 7)
    }

    private mutating func add(_ value: UInt32, _ count: UInt32) {
      pending |= value << pendingCount
      pendingCount += count
      while pendingCount >= 8 {
        bytes.append(UInt8(pending & 255))
        pending >>= 8
        pendingCount -= 8
      }
    }
  }

  extension Deflated {
    /// With the head and the checksum of RFC 1950.
    ///
    /// - Parameter total: how many bytes there are, if all but `start` are zeros and so is the end of `start`.
    static func zlib(_ start: [UInt8], zeros: Int) -> Data {
      let repeats = (zeros + 1031) / 1032 * 1032
      var (low, high): (UInt64, UInt64) = (1, 0)
      for byte in start {
        low = (low + UInt64(byte)) % 65521
        high = (high + low) % 65521
      }
      // What follows is zeros, of which the count matters alone.
      high = (high + low * (UInt64(repeats) % 65521)) % 65521
      let sum = withUnsafeBytes(of: UInt32(high << 16 | low).bigEndian) { Data($0) }
      return Data([0x78, 0xDA]) + Deflated(start, repeats: repeats).bytes + sum
    }

    /// With the head of RFC 1952, and an end that nobody gets to.
    static func gzip(_ start: [UInt8], repeats: Int) -> Data {
      Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + Deflated(start, repeats: repeats).bytes + Data(count: 8)
    }
  }
#endif
