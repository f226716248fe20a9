import CNukeCurl
package import Foundation

/// Whom a request is sent to, first and behind each redirect, and what of it goes there (RFC 9110 §15.4). All transports
/// keep these rules.
package struct Destination: Sendable {
  /// The URL as it is sent.
  package let url: String
  /// The same behind redirects; `nil` if the request's own stands.
  package private(set) var location: URL?
  /// The number of redirects so far.
  private var redirects = 0
  /// The request is a `GET` without a body here, whatever it was.
  private var isPlainGet = false
  /// Another than the request's own scheme, host or port was visited. What was left behind then does not come back.
  private var isForeign = false

  package init(url: String) { self.url = url }

  package func method(_ own: String) -> String { isPlainGet ? "GET" : own }

  package func body(_ own: Data?) -> Data? { isPlainGet ? nil : own }

  /// Returns `true` if a field of the request stays behind: a secret of its own origin, or what is said of a body that
  /// is not sent.
  package func drops(_ name: String) -> Bool {
    guard isForeign || isPlainGet else { return false }
    switch name.lowercased() {
    case "authorization", "cookie", "host":
      return isForeign
    case "content-encoding", "content-language", "content-length", "content-location", "content-type", "expect",
      "transfer-encoding":
      return isPlainGet
    default:
      return false
    }
  }

  /// Returns the target of a redirect; `nil` if the response is not one.
  ///
  /// - Parameters:
  ///   - location: the value of the first such field, as it was received.
  ///   - method: of the request that was answered.
  package func redirected(
    status: Int, location: @autoclosure () -> [UInt8]?, method: String, configuration: DataLoader.Configuration
  ) throws(DataLoader.TransferError) -> Destination? {
    switch status {
    case 300, 301, 302, 303, 307, 308: break
    default: return nil
    }
    guard let location = location(), !location.isEmpty else { return nil }
    guard let parts = CurlURL(url) else { throw noURL }
    // The lines of an ftp server may read like a head.
    guard Self.isHTTP(parts[CURLUPART_SCHEME]) else { return nil }
    // A signature is over its own URL, and by a key that is nobody else's matter.
    let limit = configuration.signing == nil ? max(0, configuration.maximumRedirects) : 0
    guard redirects < limit else { throw .tooManyRedirects(limit: limit) }
    if let scheme = Self.scheme(of: location), !Self.isHTTP(scheme) { throw .unsupportedScheme(scheme) }
    var next = try follow(location, from: parts, configuration)
    next.redirects = redirects + 1
    next.isPlainGet =
      isPlainGet || (status == 303 ? method != "HEAD" : (status == 301 || status == 302) && method == "POST")
    return next
  }

  private func follow(
    _ location: [UInt8], from parts: CurlURL, _ configuration: DataLoader.Configuration
  ) throws(DataLoader.TransferError) -> Destination {
    let (origin, scheme) = (parts.origin, parts[CURLUPART_SCHEME])
    let (user, password) = (parts[CURLUPART_USER], parts[CURLUPART_PASSWORD])
    let fragment = parts[CURLUPART_FRAGMENT]
    guard parts.follow(location) else { throw noURL }
    // It stays the same where the location has none (RFC 9110 §10.2.2).
    if parts[CURLUPART_FRAGMENT] == nil { parts.set(CURLUPART_FRAGMENT, fragment) }
    let isSameOrigin = parts.origin == origin
    if !isSameOrigin {
      parts.set(CURLUPART_USER, nil)
      parts.set(CURLUPART_PASSWORD, nil)
    } else if parts[CURLUPART_USER] == nil {
      parts.set(CURLUPART_USER, user)
      parts.set(CURLUPART_PASSWORD, password)
    }
    guard let text = parts.text, let target = URL(string: text) else { throw noURL }
    let newScheme = parts[CURLUPART_SCHEME]
    guard Self.isHTTP(newScheme) else { throw .unsupportedScheme(newScheme ?? "") }
    if scheme == "https", newScheme != "https", !configuration.followsInsecureRedirects {
      throw .insecureRedirect(host: target.host ?? text)
    }
    var next = Destination(url: text)
    next.location = target
    next.isForeign = isForeign || !isSameOrigin
    return next
  }

  private var noURL: DataLoader.TransferError {
    .protocolError(host: (location ?? URL(string: url))?.host ?? url, reason: "it redirects to what is no URL")
  }

  private static func isHTTP(_ scheme: String?) -> Bool {
    switch scheme?.lowercased() {
    case "http", "https": true
    default: false
    }
  }

  /// Returns the scheme of an absolute URL (RFC 3986 §3.1); `nil` for a relative one.
  private static func scheme(of location: [UInt8]) -> String? {
    guard let colon = location.firstIndex(of: UInt8(ascii: ":")), let first = location.first, isLetter(first) else {
      return nil
    }
    let scheme = location[..<colon]
    let isScheme = scheme.allSatisfy { byte in
      isLetter(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }
    return isScheme ? String(decoding: scheme, as: UTF8.self) : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 }
}
