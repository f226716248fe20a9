import CNukeDisk
package import Foundation

/// Checksums and digests of file contents.
package enum Digest {
  /// SHA-1 as forty hexadecimal digits. No two files that were not forged for it have one in common.
  package static func text(of data: Data) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digest in
      data.withUnsafeBytes { nuke_sha1($0.baseAddress, $0.count, digest.baseAddress) }
      return String(unsafeUninitializedCapacity: 40) { text in
        for (index, byte) in digest.enumerated() {
          text[2 * index] = digit(byte >> 4)
          text[2 * index + 1] = digit(byte & 15)
        }
        return 40
      }
    }
  }

  /// XXH64, which finds what was damaged or has changed, at many times the speed.
  package static func checksum(of data: Data) -> UInt64 {
    data.withUnsafeBytes { nuke_xxh64($0.baseAddress, $0.count, 0) }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
