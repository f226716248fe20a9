import Foundation

extension String {
  /// The URL in the text without the parts that may be secret: the user name and password, the query and the fragment.
  /// Only `data:` is left of a `data:` URL.
  package var withoutSecrets: String {
    if prefix(5).lowercased() == "data:" { return "data:" }
    // As bytes: a combining character would hide the mark before it.
    return String(Substring(withoutUserInfo.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
  }

  /// The URL in the text without its user name and password.
  package var withoutUserInfo: String {
    guard let slashes = utf8.firstRange(of: "://".utf8) else { return self }
    let authority = utf8[slashes.upperBound...].prefix { !"/?#".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return self }
    return String(self[..<slashes.upperBound]) + String(self[utf8.index(after: at)...])
  }
}
