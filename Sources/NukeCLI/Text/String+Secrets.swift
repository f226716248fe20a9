import Nuke

extension String {
  /// Names of queries' parts whose values are secret in the URLs of common stores and services.
  private static let secretNames: Set<String> = [
    "auth", "code", "credential", "credentials", "jwt", "key", "passwd", "pwd", "session", "sig",
  ]
  /// Ends of such names.
  private static let secretEnds = ["apikey", "authorization", "password", "secret", "signature", "token"]

  /// The URL in the text without its user name and password, and with `…` in place of the values of its query and its
  /// fragment that may be secret by their names. A `data:` URL is returned unchanged.
  package var withoutSecretValues: String {
    if prefix(5).lowercased() == "data:" { return self }
    let plain = withoutUserInfo
    // As bytes: a combining character would hide the mark before it.
    guard let start = plain.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else { return plain }
    var result = String(plain[..<start])
    var rest = plain.utf8[start...]
    while let mark = rest.first {
      let part = rest.dropFirst().prefix { !"?#&;".utf8.contains($0) }
      rest = rest[part.endIndex...]
      result.unicodeScalars.append(Unicode.Scalar(mark))
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      let isHidden = name.endIndex < part.endIndex && String(Substring(name)).isNameOfSecret
      result += isHidden ? "\(Substring(name))=…" : String(Substring(part))
    }
    return result
  }

  private var isNameOfSecret: Bool {
    let name = lowercased()
    return name.split { !$0.isLetter && !$0.isNumber }.contains { Self.secretNames.contains(String($0)) }
      || Self.secretEnds.contains(where: name.hasSuffix)
  }
}
