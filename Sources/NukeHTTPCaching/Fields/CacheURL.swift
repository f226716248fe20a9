/// Derives cache keys and origins from URLs, and resolves references in header fields (RFC 3986, RFC 9110 §4.2.3).
package enum CacheURL {
  /// Returns the cache key of a URL: the URL without its fragment, with scheme and host in lower case, without the
  /// scheme's default port, and with `/` for an empty path.
  package static func key(_ url: String) -> String { Parts(url).key }

  /// Returns the cache key of a reference in a response from `base`. Returns `nil` if it has another origin, which must
  /// not be invalidated (RFC 9111 §4.4).
  package static func key(of reference: String, from base: String) -> String? {
    let base = Parts(base)
    let target = base.resolving(Parts(reference))
    guard let origin = base.origin, origin == target.origin else { return nil }
    return target.key
  }

  /// The components of a URL or of a relative reference (RFC 3986, appendix B).
  private struct Parts {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?

    init(_ url: String) {
      var rest = url[...]
      if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
      if let mark = rest.firstIndex(of: "?") {
        query = rest[rest.index(after: mark)...]
        rest = rest[..<mark]
      }
      if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":", colon > rest.startIndex {
        scheme = rest[..<colon]
        rest = rest[rest.index(after: colon)...]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        authority = rest[..<end]
        rest = rest[end...]
      }
      path = rest
    }

    /// Scheme, host and port; `nil` without a host.
    var origin: String? {
      guard let scheme = scheme?.lowercased(), let authority, !authority.isEmpty else { return nil }
      let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
      var text = host.lowercased()
      let standard = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
      if text.hasSuffix(standard) {
        text.removeLast(standard.utf8.count)
      } else if text.hasSuffix(":") {
        text.removeLast()
      }
      return "\(scheme)://\(text)"
    }

    var key: String {
      guard let scheme else { return String(path) + (query.map { "?\($0)" } ?? "") }
      var text = scheme.lowercased() + ":"
      if let origin {
        let user = authority?.lastIndex(of: "@").map { authority![...$0] } ?? ""
        text = user.isEmpty ? origin : origin.replacing("://", with: "://" + user, maxReplacements: 1)
        if path.isEmpty { text += "/" }
      }
      return text + path + (query.map { "?\($0)" } ?? "")
    }

    /// Resolves a reference against this base URL (RFC 3986 §5.2.2).
    func resolving(_ reference: Parts) -> Parts {
      var target = reference
      if reference.scheme == nil {
        target.scheme = scheme
        if reference.authority == nil {
          target.authority = authority
          if reference.path.isEmpty {
            target.path = path
            target.query = reference.query ?? query
            return target
          }
          if !reference.path.hasPrefix("/") { target.path = merged(reference.path) }
        }
      }
      target.path = Self.withoutDots(target.path)
      return target
    }

    private func merged(_ relative: Substring) -> Substring {
      guard let slash = path.lastIndex(of: "/") else { return "/" + relative }
      return path[...slash] + relative
    }

    /// Removes `.` and `..` segments (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: Substring) -> Substring {
      guard path.contains(".") else { return path }
      var kept: [Substring] = []
      let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      for (index, segment) in segments.enumerated() {
        let isLast = index == segments.count - 1
        switch segment {
        case ".": if isLast { kept.append("") }
        case "..":
          if kept.count > 1 { kept.removeLast() }
          if isLast { kept.append("") }
        default: kept.append(segment)
        }
      }
      return kept.joined(separator: "/")[...]
    }
  }
}
