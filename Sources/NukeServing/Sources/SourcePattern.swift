/// The beginning of URLs that images may be loaded from, such as `https://*.example.com/photos/`, `s3://` or
/// `local://`: the spelling of imgproxy's `ALLOWED_SOURCES`.
///
/// `*` stands for any number of characters other than slashes. A host stands for itself alone, whether or not a slash
/// follows it: `https://example.com` does not begin `https://example.com.other.org/`.
public struct SourcePattern: Sendable, Hashable, CustomStringConvertible {
  /// The pattern as it was written.
  public let description: String
  /// In small letters, such as `s3`.
  package let scheme: String
  /// The prefix of matching URLs, in the form in which they are compared.
  private let beginning: [UInt8]

  /// `nil` for a text without a scheme and `://`, and for one that names a user.
  public init?(_ text: String) {
    guard let scheme = SourceAddress.scheme(of: text) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count + 3)
    var authority = String(rest.prefix { $0 != "/" })
    var path = String(rest.dropFirst(authority.count))
    guard !authority.contains("@"), !rest.contains("?"), !rest.contains("#"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return nil }
    if SourceAddress.isOfHTTP(scheme) {
      authority = authority.lowercased()
      let own = scheme == "http" ? ":80" : ":443"
      if authority.hasSuffix(own) { authority.removeLast(own.count) }
    }
    if !authority.isEmpty, path.isEmpty { path = "/" }
    description = text
    self.scheme = scheme
    beginning = Array("\(scheme)://\(authority)\(path)".utf8)
  }

  func matches(_ address: SourceAddress) -> Bool { matches(Array(address.text.utf8)) }

  private func matches(_ text: [UInt8]) -> Bool {
    var index = 0
    var place = 0
    // The last asterisk, and where what it stands for ends. Going back to it alone is enough: nothing that an earlier
    // one takes on makes more of the text match.
    var asterisk: (index: Int, end: Int)?
    while index < beginning.count {
      if beginning[index] == UInt8(ascii: "*") {
        asterisk = (index, place)
        index += 1
      } else if place < text.count, beginning[index] == text[place] {
        index += 1
        place += 1
      } else if let last = asterisk, last.end < text.count, text[last.end] != UInt8(ascii: "/") {
        asterisk = (last.index, last.end + 1)
        index = last.index + 1
        place = last.end + 1
      } else {
        return false
      }
    }
    return true
  }
}
