package import Foundation
import NukeBase

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
    return stored == Digest.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[length...]), seed: Digest.hash(of: key))
  }
}
