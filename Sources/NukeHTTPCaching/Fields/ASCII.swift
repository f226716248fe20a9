/// The characters of header fields (RFC 9110 §5.6). They are bytes. Case is ignored for ASCII letters only.
extension UInt8 {
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  var isDigit: Bool { self &- 0x30 < 10 }

  /// `true` for optional white space (OWS, RFC 9110 §5.6.3): a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// `true` for a character that is allowed in a token (RFC 9110 §5.6.2).
  var isToken: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// The bytes of a header field's name or value, or of a part of it.
package typealias FieldBytes = ArraySlice<UInt8>

extension FieldBytes {
  /// The bytes without leading and trailing white space.
  package var trimmed: FieldBytes {
    var slice = self
    while let first = slice.first, first.isBlank { slice = slice.dropFirst() }
    while let last = slice.last, last.isBlank { slice = slice.dropLast() }
    return slice
  }

  /// Returns `true` if the bytes equal `text`, ignoring case. `text` must be in lower case.
  package func isSame(as text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    var other = text.utf8Start
    for byte in self {
      guard byte.lowercased == other.pointee else { return false }
      other += 1
    }
    return true
  }

  package func isSame(as other: FieldBytes) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
  }

  package var isToken: Bool { !isEmpty && allSatisfy(\.isToken) }

  var text: String { String(decoding: self, as: UTF8.self) }

  var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }

  /// Parses a decimal number, clamped to `limit`. Returns `nil` if there is any byte other than a digit.
  func number(limit: Int) -> Int? {
    guard !isEmpty else { return nil }
    var value = 0
    for byte in self {
      guard byte.isDigit else { return nil }
      value = Swift.min(limit, value * 10 + Int(byte & 15))
    }
    return value
  }
}

/// A non-negative number of seconds in a header field (RFC 9111 §1.2.2).
enum DeltaSeconds {
  /// The maximum, 2^31 seconds (68 years). Larger values are clamped to it, as the RFC demands.
  static let limit = 1 << 31

  static func parse(_ bytes: FieldBytes) -> Int? { bytes.number(limit: limit) }
}
