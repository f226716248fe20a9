/// The name of a request, by which it is found in logs.
package enum RequestID {
  /// Returns the client's request ID if it can be logged and sent back as it is; else `nil`.
  package static func accepted(_ text: String?) -> String? {
    guard let text, (1...128).contains(text.utf8.count), text.utf8.allSatisfy(isPlain) else { return nil }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
