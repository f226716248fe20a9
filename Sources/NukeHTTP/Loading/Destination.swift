import CNukeCurl
package import Foundation

/// The destination of a request, initially and after each redirect, and the parts of the request that are sent to it
/// (RFC 9110 §15.4). All transports follow these rules.
package struct Destination: Sendable {
  /// The URL to send the request to.
  package let url: String
  /// The URL after redirects; `nil` if it is still the request's own.
  package private(set) var location: URL?
  /// The number of redirects so far.
  private var redirects = 0
  /// `true` if a redirect has turned the request into a GET without a body.
  private var isPlainGet = false
  /// `true` if another scheme, host or port was visited. Fields that were removed are not added again afterwards.
  private var isForeign = false
  /// See ``DataLoader/Configuration/privateFields``.
  private let privateFields: Set<String>

  package init(url: String, privateFields: Set<String> = []) {
    self.url = url
    self.privateFields = privateFields
  }

  package func method(_ own: String) -> String { isPlainGet ? "GET" : own }

  package func body(_ own: Data?) -> Data? { isPlainGet ? nil : own }

  /// Returns `true` if a field of the request must not be sent: a secret that belongs to the original origin, or a
  /// description of a body that is not sent.
  package func drops(_ name: String) -> Bool {
    guard isForeign || isPlainGet else { return false }
    let name = name.lowercased()
    if isForeign, privateFields.contains(name) { return true }
    switch name {
    case "authorization", "cookie", "host":
      return isForeign
    case "content-encoding", "content-language", "content-length", "content-location", "content-type", "expect",
      "transfer-encoding":
      return isPlainGet
    default:
      return false
    }
  }

  /// Returns the target of a redirect; `nil` if the response is not a redirect.
  ///
  /// - Parameters:
  ///   - location: the value of the first `Location` field, as it was received.
  ///   - method: the method of the request that was answered.
  package func redirected(
    status: Int, location: @autoclosure () -> [UInt8]?, method: String, configuration: DataLoader.Configuration
  ) throws(DataLoader.TransferError) -> Destination? {
    switch status {
    case 300, 301, 302, 303, 307, 308: break
    default: return nil
    }
    guard let location = location(), !location.isEmpty else { return nil }
    guard let parts = CurlURL(url) else { throw noURL }
    // The reply lines of an FTP server may look like an HTTP head.
    guard URL.isHTTP(parts[CURLUPART_SCHEME]) else { return nil }
    // A signature is valid only for its own URL, and the key must not be used for another server.
    let limit = configuration.signing == nil ? max(0, configuration.maximumRedirects) : 0
    guard redirects < limit else { throw .tooManyRedirects(limit: limit) }
    if let colon = URL.endOfScheme(location) {
      let scheme = String(decoding: location[..<colon], as: UTF8.self)
      guard URL.isHTTP(scheme) else { throw .unsupportedScheme(scheme) }
    }
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
    // The fragment is inherited if the location has none (RFC 9110 §10.2.2).
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
    guard URL.isHTTP(newScheme) else { throw .unsupportedScheme(newScheme ?? "") }
    if scheme == "https", newScheme != "https", !configuration.followsInsecureRedirects {
      throw .insecureRedirect(host: target.host ?? text)
    }
    var next = Destination(url: text, privateFields: privateFields)
    next.location = target
    next.isForeign = isForeign || !isSameOrigin
    return next
  }

  private var noURL: DataLoader.TransferError {
    .protocolError(host: (location ?? URL(string: url))?.host ?? url, reason: "it redirects to an invalid URL")
  }
}
