package import Foundation

extension URL {
  /// Creates the URL that a browser loads for a text from outside, such as an address in a list or on a web page:
  /// characters that a URL cannot contain are escaped, and escapes stay as they are. Returns `nil` if the text is not a
  /// URL.
  ///
  /// `URL(string:)` returns the same for valid URLs. For others, it also escapes the escapes of a component: it turns
  /// `/a%20b c` into `/a%2520b%20c`.
  package init?(escaping text: String) { self.init(escaping: Array(text.utf8)) }

  /// Creates a URL from a text in any encoding whose first 128 characters are those of ASCII.
  package init?(escaping text: [UInt8]) {
    guard let text = String(validating: Self.escaped(text), as: UTF8.self) else { return nil }
    self.init(string: text)
  }

  /// Escapes the bytes of a URL, or of a relative reference, that its components cannot contain. Valid URLs, the host
  /// and the port stay as they are.
  package static func escaped(_ reference: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(reference.count)
    var rest = reference[...]
    if let colon = endOfScheme(reference) {
      result += rest[...colon]
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
      rest = rest[authority.endIndex...]
      result += "//".utf8
      // The last at sign precedes the host, here as for Foundation, libcurl and browsers.
      let host = authority.lastIndex(of: UInt8(ascii: "@")) ?? authority.startIndex
      result += EscapedComponent.userInfo.escaped(authority[..<host])
      result += authority[host...]
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let query = rest[path.endIndex...].prefix { $0 != UInt8(ascii: "#") }
    let fragment = rest[query.endIndex...]
    result += EscapedComponent.path.escaped(path)
    result += EscapedComponent.query.escaped(query)
    result += fragment.prefix(1)
    return result + EscapedComponent.query.escaped(fragment.dropFirst())
  }

  /// Returns the index of the colon after a scheme (RFC 3986 §3.1); `nil` for a relative reference.
  static func endOfScheme(_ text: [UInt8]) -> Int? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, first.isASCIILetter,
      text[..<colon].allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
    else { return nil }
    return colon
  }
}

/// A component of a URL, and what is escaped in it: the percent-encode set of the WHATWG's URL standard
/// (https://url.spec.whatwg.org/#percent-encoded-bytes), and whatever else RFC 3986 does not allow in the component
/// (§3.2.1 to §3.5), because Foundation's `URL` cannot contain it. An apostrophe in a query stays, as it does in valid
/// URLs.
package enum EscapedComponent: UInt8 {
  case userInfo = 1
  case path = 2
  /// A query or a fragment.
  case query = 4

  /// Escapes all bytes that the component cannot contain, and percent signs that do not begin an escape.
  package func escaped(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      text.formIndex(after: &index)
      if Self.allowed[Int(byte)] & rawValue != 0 {
        result.append(byte)
      } else if byte == UInt8(ascii: "%"), text[index...].prefix(2).count(where: \.isASCIIHexDigit) == 2 {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return result
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The components that may contain each byte.
  private static let allowed: [UInt8] = (0...255).map { byte in
    let byte = UInt8(byte)
    if byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=:".utf8.contains(byte) { return 7 }
    return "@/".utf8.contains(byte) ? path.rawValue | query.rawValue : byte == UInt8(ascii: "?") ? query.rawValue : 0
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  fileprivate var isASCIIDigit: Bool { self &- 0x30 < 10 }
  fileprivate var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20) &- 0x61 < 6 }
}
