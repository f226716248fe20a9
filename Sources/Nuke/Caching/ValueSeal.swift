import CNukeDisk
package import Foundation

/// A header for values that are stored on another machine. It shows whether a value comes back complete, and for the
/// key it was stored under.
///
/// Sixteen bytes: "NUKEVAL1", and the XXH64 of the value in little-endian order, whose seed is that of the key.
package enum ValueSeal {
  package static let length = 16
  private static let mark: [UInt8] = Array("NUKEVAL1".utf8)

  package static func bytes(for data: Data, key: String) -> [UInt8] {
    let sum = data.withUnsafeBytes { checksum($0, key) }
    return mark + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
  }

  /// Returns `true` if the bytes are those of a value with its seal, as it was stored for `key`.
  package static func holds(_ bytes: UnsafeRawBufferPointer, key: String) -> Bool {
    guard bytes.count >= length, bytes.prefix(mark.count).elementsEqual(mark) else { return false }
    let stored = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: mark.count, as: UInt64.self))
    return stored == checksum(UnsafeRawBufferPointer(rebasing: bytes[length...]), key)
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ key: String) -> UInt64 {
    let seed = DiskStore.hash(key)
    guard let start = bytes.baseAddress else { return nuke_xxh64(nil, 0, seed) }
    return nuke_xxh64(start, bytes.count, seed)
  }
}
