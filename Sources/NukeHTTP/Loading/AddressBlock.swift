/// A block of IP addresses with a common prefix, such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632, RFC 4291 §2.3).
public struct AddressBlock: Sendable, Hashable {
  let first: IPAddress
  /// The length of the prefix, in bits.
  let length: Int
}

extension AddressBlock {
  /// Parses a block or a single address. Returns `nil` for anything else, and for a block with bits set after its
  /// prefix.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = IPAddress(String(parts[0])) else { return nil }
    var length = first.bitCount
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(parts[1]), number <= length else {
        return nil
      }
      length = number
    }
    self.init(first: first, length: length)
    guard mask(first) == first else { return nil }
  }

  /// Creates a block from a literal in the source.
  static func known(_ text: StaticString) -> AddressBlock {
    guard let block = AddressBlock("\(text)") else { preconditionFailure("\(text) is not a block of addresses") }
    return block
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.isVersion4 == first.isVersion4 && mask(address) == first
  }

  /// Returns the address with all bits after the prefix cleared.
  private func mask(_ address: IPAddress) -> IPAddress {
    // A shift by the full width or more produces 0.
    if address.isVersion4 {
      return IPAddress(version4: UInt32(truncatingIfNeeded: address.low) & ~(UInt32.max >> length))
    }
    return IPAddress(
      version6: address.high & ~(UInt64.max >> length), address.low & ~(UInt64.max >> max(0, length - 64)))
  }
}

extension AddressBlock: CustomStringConvertible {
  public var description: String { "\(first)/\(length)" }
}
