import Foundation

/// Base64 with the URL-safe alphabet of RFC 4648, section 5. Padding is optional, but only as much as belongs there.
enum Base64URL {
  /// Returns `nil` for characters outside the alphabet, for padding that is in the middle or of another length, for
  /// impossible lengths, and for bits after the last byte. So each value has at most two spellings, and a cache cannot be
  /// filled with more.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var digits = Array(text)
    let length = digits.count
    while digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1, length == digits.count || length == (digits.count + 3) / 4 * 4 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
  }

  /// Returns the text without padding.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let plain = Data(bytes).base64EncodedString()
    return String(
      plain.compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
