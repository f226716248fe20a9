import CNukeDisk
package import Foundation

/// Checksums and digests of data and keys.
package enum Digest {
  /// Returns the SHA-1 as forty hexadecimal digits. No two files that were not forged for it have one in common.
  package static func text(of data: Data) -> String { data.withUnsafeBytes { DiskEntryName(hashing: $0).text } }

  /// Returns the XXH64, which finds damage and changes at many times the speed of a digest.
  package static func checksum(of data: Data, seed: UInt64 = 0) -> UInt64 {
    data.withUnsafeBytes { nuke_xxh64($0.baseAddress, $0.count, seed) }
  }

  /// Returns the XXH64 of a key.
  package static func hash(of key: String) -> UInt64 {
    var key = key
    return key.withUTF8 { nuke_xxh64($0.baseAddress, $0.count, 0) }
  }

  /// Returns the MD5 of a text as 32 hexadecimal digits.
  static func md5(of text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digest in
        nuke_md5(bytes.baseAddress, bytes.count, digest.baseAddress!)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }
  }
}

/// Names and checks the entries of a store, on disk or elsewhere, by their keys.
package enum EntryNaming {
  /// Two hexadecimal digits, a slash, and all forty digits of the key's SHA-1.
  package static func path(for key: String) -> String { DiskEntryName(hashing: key).path }

  /// Sixteen hexadecimal digits that tell data from other data, and from the same data under another key (XXH64).
  package static func checksum(of data: Data, key: String) -> String {
    let digits = String(Digest.checksum(of: data, seed: Digest.hash(of: key)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A header for values that are stored on another machine. It shows whether a value comes back complete, and for the
/// key it was stored under.
///
/// Sixteen bytes: "NUKEVAL1", and the XXH64 of the value in little-endian order, whose seed is that of the key.
package enum ValueSeal {
  package static let length = 16
  private static let mark: [UInt8] = Array("NUKEVAL1".utf8)

  package static func bytes(for data: Data, key: String) -> [UInt8] {
    let sum = Digest.checksum(of: data, seed: Digest.hash(of: key))
    return mark + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
  }

  /// Returns `true` if the bytes are those of a value with its seal, as it was stored for `key`.
  package static func holds(_ bytes: UnsafeRawBufferPointer, key: String) -> Bool {
    guard bytes.count >= length, bytes.prefix(mark.count).elementsEqual(mark) else { return false }
    let stored = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: mark.count, as: UInt64.self))
    return stored == nuke_xxh64(bytes.baseAddress! + length, bytes.count - length, Digest.hash(of: key))
  }
}
