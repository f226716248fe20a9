import Foundation

/// An IPv4 or IPv6 address as a number.
package struct IPAddress: Hashable, Sendable {
  /// The upper and lower half of the number. An IPv4 address is in the lowest 32 bits.
  package let high: UInt64
  package let low: UInt64
  package let isVersion4: Bool

  package init(version4 number: UInt32) {
    high = 0
    low = UInt64(number)
    isVersion4 = true
  }

  package init(version6 high: UInt64, _ low: UInt64) {
    self.high = high
    self.low = low
    isVersion4 = false
  }

  /// Parses the standard forms, such as `192.0.2.1` or `2001:db8::1`. Returns `nil` for any other spelling.
  package init?(_ text: String) {
    var version4 = in_addr()
    if inet_pton(AF_INET, text, &version4) == 1 {
      self.init(version4: UInt32(bigEndian: version4.s_addr))
      return
    }
    var version6 = in6_addr()
    guard inet_pton(AF_INET6, text, &version6) == 1 else { return nil }
    self = withUnsafeBytes(of: &version6) { Self(version6Bytes: $0) }
  }

  /// - Parameter bytes: sixteen bytes in network order.
  init(version6Bytes bytes: UnsafeRawBufferPointer) {
    self.init(
      version6: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// The number of bits of an address of this version.
  package var bitCount: Int { isVersion4 ? 32 : 128 }

  /// The IPv4 addresses embedded in an IPv6 address: packets sent to it may reach them.
  ///
  /// Covers mapped and compatible addresses (RFC 4291 §2.5.5), translated ones (RFC 2765, RFC 6052, RFC 8215), 6to4
  /// (RFC 3056), and both addresses of Teredo (RFC 4380 §4), of which the client's is inverted.
  var embedded: [IPAddress] {
    guard !isVersion4 else { return [] }
    let last = IPAddress(version4: UInt32(truncatingIfNeeded: low))
    if high == 0 {
      let middle = low >> 32
      // :: and ::1 have the form of compatible addresses, but are not.
      return middle == 0 && low > 1 || middle == 0xFFFF || middle == 0xFFFF_0000 ? [last] : []
    }
    if high >> 32 == 0x0064_FF9B {
      // In the block for local use, the position of the IPv4 address is known only for 96-bit prefixes.
      return high & 0xFFFF_FFFF == 0 || high >> 16 & 0xFFFF == 1 ? [last] : []
    }
    if high >> 48 == 0x2002 { return [IPAddress(version4: UInt32(truncatingIfNeeded: high >> 16))] }
    if high >> 32 == 0x2001_0000 {
      return [
        IPAddress(version4: UInt32(truncatingIfNeeded: high)), IPAddress(version4: ~UInt32(truncatingIfNeeded: low)),
      ]
    }
    return []
  }
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      text.initialize(repeating: 0)
      if isVersion4 {
        var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
        inet_ntop(AF_INET, &address, text.baseAddress!, socklen_t(text.count))
      } else {
        var words = (high.bigEndian, low.bigEndian)
        inet_ntop(AF_INET6, &words, text.baseAddress!, socklen_t(text.count))
      }
      return String(cString: text.baseAddress!)
    }
  }
}
