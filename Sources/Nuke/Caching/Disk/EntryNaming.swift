import CNukeDisk
package import Foundation

/// Names and checks the entries of a store, on disk or elsewhere, by their keys.
package enum EntryNaming {
  /// Two hexadecimal digits, a slash, and all forty digits of the key's SHA-1.
  package static func path(for key: String) -> String { DiskEntryName(hashing: key).path }

  /// Sixteen hexadecimal digits that tell data from other data, and from the same data under another key (XXH64).
  package static func checksum(of data: Data, key: String) -> String {
    var key = key
    let seed = key.withUTF8 { nuke_xxh64($0.baseAddress, $0.count, 0) }
    let sum = data.withUnsafeBytes { nuke_xxh64($0.baseAddress, $0.count, seed) }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
