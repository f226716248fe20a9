public import Foundation

/// The rules for the sources that a server may load.
///
/// ```swift
/// var rules = SourceRules()
/// rules.allowed = [SourcePattern("https://*.example.com/")!, SourcePattern("s3://images/")!]
/// let url = try rules.source("https://cdn.example.com/a.jpg")
/// ```
///
/// The rules check the URL as written. The data loader's `AddressPolicy` checks the addresses that host names resolve
/// to, and the targets of redirects. A redirect may lead outside the allowed sources, but not outside the policy.
public struct SourceRules: Sendable, Hashable {
  /// The allowed prefixes of source URLs. If the list is empty, all sources are allowed.
  public var allowed: [SourcePattern] = []
  /// The buckets that may be read, by the schemes of their stores in lower case, such as `s3`. They restrict
  /// ``allowed`` further.
  public var buckets: [String: Buckets] = [:]
  /// The base URL of sources without a scheme, such as `https://cdn.example.com/photos/`. If it is set and ``allowed``
  /// is empty, only sources below it are allowed.
  public var base: String?
  /// The replacements for the beginning of sources, applied one after the other, before the base is added.
  public var replacements: [SourceReplacement] = []
  /// The allowed schemes, in lower case.
  public var schemes: Set<String> = ["http", "https"]
  /// The allowed ports of HTTP and HTTPS; `nil` for all. The default ports of the schemes are always allowed.
  public var ports: Set<Int>?
  /// The text that separates the name of an object in `s3://` or `gs://` from its version, as in
  /// `s3://bucket/key?versionId=3`. In `abs://` and `local://`, the rest after it is ignored. If it is empty, everything
  /// is the name. The default is `?versionId=`; that of imgproxy is `?`.
  public var querySeparator = "?versionId="
  /// The maximum length of a URL in bytes, including the base.
  public var maximumLength = 4096

  public init() {}

  /// Returns the URL of a source in a normal form that all URL parsers agree on.
  ///
  /// Escapes spaces and non-ASCII characters in paths. Removes the fragment. After `local://` and the schemes of
  /// object stores (`s3://`, `gs://`, `abs://`), the text is not a URL but the name of a file or an object. It is escaped
  /// as a whole, so that names that differ have different URLs.
  ///
  /// - Parameter text: the source in a request, after percent-decoding or Base64-decoding.
  /// - Throws: ``ServingError/malformedURL(_:)`` if the text is not a URL, names a user, obfuscates its host, or leads
  ///   upwards. ``ServingError/sourceNotAllowed(_:)`` if these rules do not allow it.
  public func source(_ text: String) throws(ServingError) -> URL {
    try absoluteSource(absolute(text))
  }

  /// Returns the URL of a source to which neither ``base`` nor ``replacements`` apply, in normal form.
  func absoluteSource(_ text: String) throws(ServingError) -> URL {
    try checked(SourceAddress(source: text, separator: querySeparator))
  }

  /// Returns a URL in normal form.
  ///
  /// - Parameter text: an absolute URL, in which the names of objects and files are escaped.
  func checked(_ text: String) throws(ServingError) -> URL { try checked(SourceAddress(text)) }

  private func checked(_ address: SourceAddress) throws(ServingError) -> URL {
    try check(address)
    guard let url = URL(string: address.text) else { throw .malformedURL("the source is not a URL") }
    return url
  }

  private func absolute(_ text: String) throws(ServingError) -> String {
    var text = replacements.reduce(text) { $1.applied(to: $0) }
    if let base, SourceAddress.scheme(of: text) == nil {
      // Always separated by a slash. Otherwise, the text could continue the host name.
      text = base + (base.hasSuffix("/") || text.hasPrefix("/") ? "" : "/") + text
    }
    guard text.utf8.count <= maximumLength else {
      throw .malformedURL("the source is longer than \(maximumLength) bytes")
    }
    return text
  }

  private func check(_ address: SourceAddress) throws(ServingError) {
    guard schemes.contains(address.scheme) else { throw .sourceNotAllowed("Its scheme is \(address.scheme).") }
    if let port = address.port, let ports, !ports.contains(port) { throw .sourceNotAllowed("Its port is \(port).") }
    guard buckets[address.scheme]?.allows(address.authority) ?? true else {
      throw .sourceNotAllowed("\(address.scheme)://\(address.authority) is not among the allowed buckets.")
    }
    // The server's own image, which is no secret.
    guard address.scheme != Self.fallbackScheme, !allowed.isEmpty || base != nil else { return }
    guard allowed.isEmpty ? isBelowBase(address) : allowed.contains(where: { $0.matches(address) }) else {
      throw .sourceNotAllowed("\(address.scheme)://\(address.authority) is not among the allowed sources.")
    }
  }

  /// The scheme of the server's ``FallbackImage``, if it is a file.
  package static let fallbackScheme = "fallback"

  private func isBelowBase(_ address: SourceAddress) -> Bool {
    guard let base else { return false }
    return SourcePattern(base.hasSuffix("/") ? base : base + "/")?.matches(address) ?? false
  }
}

/// A prefix of allowed source URLs, such as `https://*.example.com/photos/`, `s3://` or `local://`. The syntax is that
/// of imgproxy's `ALLOWED_SOURCES`.
///
/// `*` matches any number of characters except slashes. A host must match as a whole, even if the pattern does not end
/// in a slash: `https://example.com` does not allow `https://example.com.other.org/`. After `local://` and the
/// schemes of object stores, the pattern is the beginning of a name, and nothing in it is escaped.
public struct SourcePattern: Sendable, Hashable, CustomStringConvertible {
  /// The pattern as written.
  public let description: String
  /// The scheme in lower case, such as `s3`.
  package let scheme: String
  /// The prefix of matching URLs, in normal form.
  private let beginning: [UInt8]

  /// Returns `nil` for a text without a scheme and `://`, and for one that names a user.
  public init?(_ text: String) {
    guard let scheme = SourceAddress.scheme(of: text) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count + 3)
    var authority = String(rest.prefix { $0 != "/" })
    var path = String(rest.dropFirst(authority.count))
    guard !authority.contains("@") else { return nil }
    if SourceAddress.isOfNames(scheme) {
      path = SourceAddress.escaped(name: path.utf8)
    } else {
      guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) }) else { return nil }
    }
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

  func matches(_ address: SourceAddress) -> Bool {
    let text = Array(address.text.utf8)
    var index = 0
    var position = 0
    // The last asterisk, and the end of its current match. Backtracking to the last asterisk is enough: a longer match
    // of an earlier one cannot make the rest of the text match.
    var asterisk: (index: Int, end: Int)?
    while index < beginning.count {
      if beginning[index] == UInt8(ascii: "*") {
        asterisk = (index, position)
        index += 1
      } else if position < text.count, beginning[index] == text[position] {
        index += 1
        position += 1
      } else if let last = asterisk, last.end < text.count, text[last.end] != UInt8(ascii: "/") {
        asterisk = (last.index, last.end + 1)
        index = last.index + 1
        position = last.end + 1
      } else {
        return false
      }
    }
    return true
  }
}
