/// The names of the header fields that matter to a cache. Names are recognized once, when fields are parsed; later
/// look-ups compare integers instead of strings.
package enum FieldName: UInt8, CaseIterable, Sendable {
  case age, authorization, cacheControl, connection, contentEncoding, contentLanguage, contentLength, contentLocation,
    contentRange, contentType, date, eTag, expires, ifMatch, ifModifiedSince, ifNoneMatch, ifRange,
    ifUnmodifiedSince, keepAlive, lastModified, location, pragma, proxyAuthenticate, proxyAuthenticationInfo,
    proxyAuthorization, proxyConnection, range, te, transferEncoding, upgrade, vary

  /// The name as written in RFC 9110 and RFC 9111.
  package var spelling: String {
    switch self {
    case .age: "Age"
    case .authorization: "Authorization"
    case .cacheControl: "Cache-Control"
    case .connection: "Connection"
    case .contentEncoding: "Content-Encoding"
    case .contentLanguage: "Content-Language"
    case .contentLength: "Content-Length"
    case .contentLocation: "Content-Location"
    case .contentRange: "Content-Range"
    case .contentType: "Content-Type"
    case .date: "Date"
    case .eTag: "ETag"
    case .expires: "Expires"
    case .ifMatch: "If-Match"
    case .ifModifiedSince: "If-Modified-Since"
    case .ifNoneMatch: "If-None-Match"
    case .ifRange: "If-Range"
    case .ifUnmodifiedSince: "If-Unmodified-Since"
    case .keepAlive: "Keep-Alive"
    case .lastModified: "Last-Modified"
    case .location: "Location"
    case .pragma: "Pragma"
    case .proxyAuthenticate: "Proxy-Authenticate"
    case .proxyAuthenticationInfo: "Proxy-Authentication-Info"
    case .proxyAuthorization: "Proxy-Authorization"
    case .proxyConnection: "Proxy-Connection"
    case .range: "Range"
    case .te: "TE"
    case .transferEncoding: "Transfer-Encoding"
    case .upgrade: "Upgrade"
    case .vary: "Vary"
    }
  }

  /// Recognizes a name, ignoring case. Returns `nil` for fields that do not matter to a cache.
  init?(_ name: FieldBytes) {
    guard name.count < Self.byLength.count else { return nil }
    for (known, spelling) in Self.byLength[name.count] where name.isSame(as: spelling) {
      self = known
      return
    }
    return nil
  }

  private static let byLength: [[(FieldName, FieldBytes)]] = {
    let longest = allCases.map(\.spelling.utf8.count).max() ?? 0
    var table = [[(FieldName, FieldBytes)]](repeating: [], count: longest + 1)
    for name in allCases {
      let spelling = Array(name.spelling.utf8)
      table[spelling.count].append((name, spelling[...]))
    }
    return table
  }()
}
