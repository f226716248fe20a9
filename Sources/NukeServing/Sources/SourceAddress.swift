import Nuke

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The URL of a source in a normal form that all parsers agree on: ours, Foundation's, libcurl's and the origin's.
///
/// Everything that two parsers could interpret differently is rejected, not repaired: user names and passwords,
/// backslashes, obfuscated numeric hosts, paths that lead upwards, and invalid escapes.
///
/// Sources in object stores and `local://` are names of objects and files, which have no syntax. ``init(source:separator:)``
/// escapes them, so that each name has exactly one URL.
struct SourceAddress {
  let scheme: String
  /// The normalized host: in lower case for HTTP, with the port unless it is the scheme's default.
  let authority: String
  let port: Int?
  /// The escaped path with its leading slash. It contains only escapes and characters that a path allows.
  let path: String
  let query: String?

  /// The whole URL.
  var text: String { "\(scheme)://\(authority)\(path)\(query.map { "?\($0)" } ?? "")" }

  /// - Parameter text: an absolute URL. The fragment is ignored.
  init(_ text: String) throws(ServingError) {
    let bytes = text.utf8
    guard let scheme = Self.scheme(of: text) else { throw .malformedURL("the source has no scheme") }
    self.scheme = scheme
    var rest = bytes.dropFirst(scheme.utf8.count + 3).prefix { $0 != UInt8(ascii: "#") }
    let authority = rest.prefix { !Self.endsAuthority($0) }
    rest = rest.dropFirst(authority.count)
    (self.authority, port) = try Self.authority(String(decoding: authority, as: UTF8.self), scheme: scheme)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let query = rest.dropFirst(path.count)
    guard !path.contains(UInt8(ascii: "\\")) else { throw .malformedURL("the source's path has a backslash") }
    try Self.check(try Self.decoded(path))
    self.path = path.isEmpty ? "/" : try Self.escaped(path, as: .path)
    self.query = query.isEmpty ? nil : try Self.escaped(query.dropFirst(), as: .query)
  }

  /// Creates the address of the source in a request.
  ///
  /// - Parameters:
  ///   - text: an absolute URL. After the schemes of ``isOfNames(_:)``, it is not a URL but a name, in which `%`, `#` and
  ///     `?` have no meaning.
  ///   - separator: separates the name of an object from its version. In `local://` and `abs://`, the rest after it is
  ///     ignored. If it is empty, everything is the name.
  init(source text: String, separator: String) throws(ServingError) {
    if let scheme = Self.scheme(of: text), Self.isOfNames(scheme) {
      try self.init(scheme, text.utf8.dropFirst(scheme.utf8.count + 3), separator: separator)
    } else {
      try self.init(text)
    }
  }

  /// - Parameter rest: the text after the scheme.
  private init(_ scheme: String, _ rest: Substring.UTF8View, separator: String) throws(ServingError) {
    self.scheme = scheme
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    (self.authority, port) = try Self.authority(String(decoding: authority, as: UTF8.self), scheme: scheme)
    var name = rest.dropFirst(authority.count)
    var version = name.suffix(0)
    if !separator.isEmpty, let found = name.firstRange(of: separator.utf8) {
      version = name[found.upperBound...]
      name = name[..<found.lowerBound]
      let item = Self.versionItem(scheme) ?? ""
      if version.starts(with: item.utf8) { version = version.dropFirst(item.utf8.count) }
    }
    try Self.check(name)
    if scheme == "local" {
      // The file system takes several slashes for one.
      path = "/" + name.split(separator: UInt8(ascii: "/")).map { Self.escaped(name: $0) }.joined(separator: "/")
      query = nil
    } else {
      path = name.isEmpty ? "/" : Self.escaped(name: name)
      let item = version.isEmpty ? nil : Self.versionItem(scheme)
      query = item.map { $0 + Self.escaped(name: version) }
    }
  }

  /// The beginning of the query that selects the version of an object; `nil` if the scheme's objects have no versions.
  private static func versionItem(_ scheme: String) -> String? {
    ["s3": "versionId=", "gs": "generation="][scheme]
  }

  /// Returns the scheme in lower case if the text begins with a scheme and `://`.
  static func scheme(of text: String) -> String? {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard let first = scheme.first, first.isLetter, text.utf8.dropFirst(scheme.count).starts(with: "://".utf8),
      scheme.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) })
    else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }

  /// Returns `true` for `http` and `https`. With other schemes, such as `s3`, the host of a URL is not a host name.
  static func isOfHTTP(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  /// Returns `true` for `local` and for object stores, whose URLs in requests contain the names of files and objects.
  static func isOfNames(_ scheme: String) -> Bool { ["s3", "gs", "abs", "local"].contains(scheme) }

  // MARK: Authority

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  /// Returns the normalized host, and the port unless it is the scheme's default.
  private static func authority(_ text: String, scheme: String) throws(ServingError) -> (String, Int?) {
    guard !text.contains("@") else { throw .malformedURL("the source contains a user name") }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw .malformedURL("the source's host is not in ASCII; such names begin with xn--")
    }
    guard isOfHTTP(scheme) else {
      // The name of a bucket or a folder.
      guard text.utf8.allSatisfy({ $0.isLetterOrDigit || "-._".utf8.contains($0) }), text != "..", text != "."
      else { throw .malformedURL("the source's \(scheme):// has no valid name") }
      return (text, nil)
    }
    let (host, port) = try split(text.lowercased())
    let own = scheme == "http" ? 80 : 443
    guard let port, port != own else { return (try checked(host), nil) }
    return ("\(try checked(host)):\(port)", port)
  }

  private static func split(_ text: String) throws(ServingError) -> (host: Substring, port: Int?) {
    let end: String.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { throw .malformedURL("the source's host is malformed") }
      end = text.index(after: bracket)
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
    }
    let rest = text[end...]
    guard !rest.isEmpty else { return (text[..<end], nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit),
      digits.first != "0", let port = Int(digits), port <= 65535
    else { throw .malformedURL("the source's port is malformed") }
    return (text[..<end], port)
  }

  private static func checked(_ host: Substring) throws(ServingError) -> String {
    if host.hasPrefix("[") {
      var address = in6_addr()
      guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else {
        throw .malformedURL("the source's address is malformed")
      }
      return String(host)
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253, labels.allSatisfy({ isLabel($0) }), let last = labels.last else {
      throw .malformedURL("the source's host is malformed")
    }
    // A host that ends in a number is an IPv4 address, which has many spellings (WHATWG URL §3.5). Only the dotted
    // decimal one is accepted.
    if last.utf8.allSatisfy(\.isDigit) || last.hasPrefix("0x") {
      var address = in_addr()
      guard inet_pton(AF_INET, String(host), &address) == 1 else {
        throw .malformedURL("the source's address is malformed")
      }
    }
    return String(host)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
      && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  // MARK: Path

  /// Throws for a path that some servers would interpret as another one.
  ///
  /// - Parameter path: the path without escapes.
  private static func check(_ path: some Collection<UInt8>) throws(ServingError) {
    guard !path.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .malformedURL("the source's path has a control character")
    }
    for segment in path.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
      // Some servers ignore everything after a semicolon.
      let name = segment.prefix { $0 != UInt8(ascii: ";") }
      guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else {
        throw .malformedURL("the source's path contains . or .. segments")
      }
    }
  }

  /// Decodes percent escapes once.
  private static func decoded(_ text: some Collection<UInt8>) throws(ServingError) -> [UInt8] {
    guard let bytes = PercentEncoding.bytes(escaped: text) else {
      throw .malformedURL("the source contains an invalid percent-encoding")
    }
    return bytes
  }

  /// Escapes all bytes that the component cannot contain.
  private static func escaped(
    _ text: some Collection<UInt8>, as component: EscapedComponent
  ) throws(ServingError) -> String {
    _ = try decoded(text)
    guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .malformedURL("the source has a control character")
    }
    return String(decoding: component.escaped(text), as: UTF8.self)
  }

  /// Escapes all bytes of a name that a path cannot contain, and every percent sign.
  static func escaped(name: some Collection<UInt8>) -> String {
    PercentEncoding.encode(String(decoding: name, as: UTF8.self), keeping: "-._~!$&'()*+,;=:@/")
  }
}
