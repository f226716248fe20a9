import Foundation

extension String {
  /// The URL in the text without the parts that may be secret: the user name and password, the query and the fragment.
  /// Only `data:` is left of a `data:` URL.
  package var withoutSecrets: String {
    if prefix(5).lowercased() == "data:" { return "data:" }
    return String(withoutUserInfo.prefix { $0 != "?" && $0 != "#" })
  }

  /// The URL in the text without its user name and password.
  package var withoutUserInfo: String {
    guard let slashes = range(of: "://") else { return self }
    let authority = self[slashes.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return self }
    return String(self[..<slashes.upperBound] + self[index(after: at)...])
  }
}
