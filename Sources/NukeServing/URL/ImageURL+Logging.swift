import NukeBase

extension ImageURL {
  /// The source without the parts that may be secret, for logs. In object stores and `local://`, it is the whole name.
  /// Otherwise, the query, the fragment, the user name and the password are left out.
  package var loggedSource: String {
    guard let scheme = SourceAddress.scheme(of: source) else {
      // Relative to the base, which may be one of names.
      return String(Substring(source.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }
    return SourceAddress.isOfNames(scheme) ? source.withoutUserInfo : source.withoutSecrets
  }
}
