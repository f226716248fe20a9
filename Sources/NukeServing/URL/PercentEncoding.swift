/// Escapes of RFC 3986, section 2.1.
enum PercentEncoding {
  /// Text with its escapes undone, once; `nil` for escapes that are none, for what is no UTF-8, and for control
  /// characters, which have no place in a URL.
  static func decode(_ text: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var pending: [UInt8] = []
    var isInEscape = false
    for byte in text {
      if isInEscape {
        pending.append(byte)
        guard pending.count == 2 else { continue }
        guard let high = digit(pending[0]), let low = digit(pending[1]) else { return nil }
        bytes.append(high << 4 | low)
        pending.removeAll(keepingCapacity: true)
        isInEscape = false
      } else if byte == UInt8(ascii: "%") {
        isInEscape = true
      } else {
        bytes.append(byte)
      }
    }
    guard !isInEscape, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Text in which all but letters, digits and a few marks is escaped.
  ///
  /// - Parameter isURL: keeps what may stand in a URL's path too, such as slashes and colons.
  static func encode(_ text: String, isURL: Bool = false) -> String {
    let kept = isURL ? "-._~:/!$&'()*+,;=[]" : "-._~"
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        encoded.append(byte)
      case _ where kept.utf8.contains(byte): encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
