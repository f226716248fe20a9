import CNukeDisk
package import Foundation

/// Checksums and digests of data and keys.
package enum Digest {
  /// Returns the SHA-1 as forty hexadecimal digits. Only forged files can have the same digest.
  package static func text(of data: Data) -> String { data.withUnsafeBytes { DiskEntryName(hashing: $0).text } }

  /// Returns the SHA-1 of a text as forty hexadecimal digits.
  package static func text(of text: String) -> String { DiskEntryName(hashing: text).text }

  /// Returns the XXH64 checksum. It detects damage much faster than a cryptographic digest.
  package static func checksum(of data: Data, seed: UInt64 = 0) -> UInt64 {
    data.withUnsafeBytes { nuke_xxh64($0.baseAddress, $0.count, seed) }
  }

  /// Returns the XXH64 of a key.
  package static func hash(of key: String) -> UInt64 {
    var key = key
    return key.withUTF8 { nuke_xxh64($0.baseAddress, $0.count, 0) }
  }

  /// Returns a number as sixteen hexadecimal digits.
  package static func hexadecimal(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { text in
      for index in 0..<16 {
        let digit = UInt8(number >> UInt64(60 - index * 4) & 15)
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 16
    }
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

/// The names and checksums of entries in a store, on disk or on another machine.
package enum EntryNaming {
  /// Returns two hexadecimal digits, a slash, and all forty digits of the key's SHA-1.
  package static func path(for key: String) -> String { DiskEntryName(hashing: key).path }

  /// Returns the XXH64 of data and key as sixteen hexadecimal digits. It differs for other data, and for the same data
  /// under another key.
  package static func checksum(of data: Data, key: String) -> String {
    Digest.hexadecimal(Digest.checksum(of: data, seed: Digest.hash(of: key)))
  }
}

/// A header for values that are stored on another machine. It verifies that a value is complete and belongs to the key.
///
/// It has sixteen bytes: "NUKEVAL1", and the XXH64 of the value in little-endian order, seeded with the hash of the
/// key.
package enum ValueSeal {
  package static let length = 16
  private static let mark: [UInt8] = Array("NUKEVAL1".utf8)

  package static func bytes(for data: Data, key: String) -> [UInt8] {
    let sum = Digest.checksum(of: data, seed: Digest.hash(of: key))
    return mark + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
  }

  /// Returns `true` if the bytes begin with a header whose checksum matches `key` and the following bytes, so that they
  /// are the value that was stored for `key`.
  package static func holds(_ bytes: UnsafeRawBufferPointer, key: String) -> Bool {
    guard bytes.count >= length, bytes.prefix(mark.count).elementsEqual(mark) else { return false }
    let stored = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: mark.count, as: UInt64.self))
    return stored == nuke_xxh64(bytes.baseAddress! + length, bytes.count - length, Digest.hash(of: key))
  }
}
