public import Foundation

/// The sources that a server loads images from.
///
/// ```swift
/// var rules = SourceRules()
/// rules.allowed = [SourcePattern("https://*.example.com/")!, SourcePattern("s3://images/")!]
/// let url = try rules.source("https://cdn.example.com/a.jpg")
/// ```
///
/// They look at what is written. Where names lead is for the data loader's `AddressPolicy`, and where servers redirect
/// to as well: a redirect may leave the allowed sources, but not the policy.
public struct SourceRules: Sendable, Hashable {
  /// The allowed prefixes of URLs; empty for all.
  public var allowed: [SourcePattern] = []
  /// The base of sources without a scheme, such as `https://cdn.example.com/photos/`. If it is set and ``allowed`` is
  /// empty, nothing else is loaded.
  public var base: String?
  /// In lower case.
  public var schemes: Set<String> = ["http", "https"]
  /// The ports of http and https that may be named; `nil` for all. Those that the schemes have by default need no
  /// naming.
  public var ports: Set<Int>?
  /// Bytes of a URL, the base included.
  public var maximumLength = 4096

  public init() {}

  /// The URL of a source, in a form that all readers of URLs take apart alike.
  ///
  /// Spaces and characters outside of ASCII in paths are escaped; what follows a `#` is left out.
  ///
  /// - Parameter text: as it stands in a request, after its own escapes or its Base64 were undone.
  /// - Throws: ``ServingError/malformedURL(_:)`` for what is no URL, names a user, hides its host or leads upwards;
  ///   ``ServingError/sourceNotAllowed(_:)`` for what these rules do not allow.
  public func source(_ text: String) throws(ServingError) -> URL {
    let address = try SourceAddress(absolute(text))
    try check(address)
    guard let url = URL(string: address.text) else { throw .malformedURL("the source is not a URL") }
    return url
  }

  private func absolute(_ text: String) throws(ServingError) -> String {
    var text = text
    if let base, SourceAddress.scheme(of: text) == nil {
      // A slash in any case: the text must not go on with the host.
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
    guard !allowed.isEmpty || base != nil else { return }
    guard allowed.isEmpty ? isBelowBase(address) : allowed.contains(where: { $0.matches(address) }) else {
      throw .sourceNotAllowed("\(address.scheme)://\(address.authority) is not among the allowed sources.")
    }
  }

  private func isBelowBase(_ address: SourceAddress) -> Bool {
    guard let base else { return false }
    return SourcePattern(base.hasSuffix("/") ? base : base + "/")?.matches(address) ?? false
  }
}

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
