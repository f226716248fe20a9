/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Decodes a text once. Returns `nil` for invalid escapes, text that is not UTF-8, and control characters.
  static func decode(_ text: some Sequence<UInt8>) -> String? {
    guard let bytes = bytes(escaped: text), !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Decodes a text once. Returns `nil` for invalid escapes.
  static func bytes(escaped text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns the text with all characters escaped except letters, digits and the given marks.
  static func encode(_ text: String, keeping marks: String = "-._~") -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if byte.isLetterOrDigit || marks.utf8.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += escape(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the escape of a byte, such as `%2F`.
  static func escape(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
  }

  /// Returns the digits of bytes in lower case.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [hexDigits[Int($0 >> 4)], hexDigits[Int($0 & 15)]] }, as: UTF8.self).lowercased()
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// Returns the value of a hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Returns the bytes of a hexadecimal text; `nil` for other characters, an odd number of digits, and an empty text.
  package static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(digit)
    guard !digits.isEmpty, digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  /// `true` for ASCII letters and digits.
  var isLetterOrDigit: Bool { isDigit || isLetter }
}
