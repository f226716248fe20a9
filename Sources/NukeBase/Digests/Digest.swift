import CNukeDigests
package import Foundation

/// Checksums and digests of data and keys.
///
/// SHA-1, MD5 and XXH64 are in `CNukeDigests`: swift-crypto would add BoringSSL to every program that loads images, and
/// libxxhash another library of the system.
package enum Digest {
  /// A SHA-1 as three numbers, whose bytes are in big-endian order.
  package typealias SHA1 = (UInt64, UInt64, UInt32)

  /// Returns the SHA-1. Only forged files can have the same digest.
  package static func sha1(of bytes: UnsafeRawBufferPointer) -> SHA1 {
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 8) { digest in
      nuke_sha1(bytes.baseAddress, bytes.count, digest.baseAddress!)
      return (
        UInt64(bigEndian: digest.load(as: UInt64.self)),
        UInt64(bigEndian: digest.load(fromByteOffset: 8, as: UInt64.self)),
        UInt32(bigEndian: digest.load(fromByteOffset: 16, as: UInt32.self))
      )
    }
  }

  /// Returns the SHA-1 as forty hexadecimal digits.
  package static func text(of data: Data) -> String { data.withUnsafeBytes { text(of: sha1(of: $0)) } }

  /// Returns the SHA-1 of a text as forty hexadecimal digits.
  package static func text(of text: String) -> String {
    var text = text
    return text.withUTF8 { Self.text(of: sha1(of: UnsafeRawBufferPointer($0))) }
  }

  private static func text(of digest: SHA1) -> String {
    hexadecimal(digest.0) + hexadecimal(digest.1) + hexadecimal(UInt64(digest.2)).suffix(8)
  }

  /// Returns the XXH64 checksum. It detects damage much faster than a cryptographic digest.
  package static func checksum(of data: Data, seed: UInt64 = 0) -> UInt64 {
    data.withUnsafeBytes { checksum(of: $0, seed: seed) }
  }

  /// Returns the XXH64 checksum of some bytes.
  package static func checksum(of bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    nuke_xxh64(bytes.baseAddress, bytes.count, seed)
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
  package static func md5(of text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digest in
        nuke_md5(bytes.baseAddress, bytes.count, digest.baseAddress!)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }
  }
}

/// The XXH64 checksum of bytes that arrive in parts. A value type.
package struct RunningChecksum: Sendable {
  private var state = nuke_xxh64_state()

  package init() { nuke_xxh64_begin(&state, 0) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) { nuke_xxh64_add(&state, bytes.baseAddress, bytes.count) }

  /// The checksum of the bytes so far.
  package var value: UInt64 { withUnsafePointer(to: state) { nuke_xxh64_end($0) } }
}
