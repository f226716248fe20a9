import CNukeCurl

/// A URL as libcurl reads it.
final class CurlURL {
  private let url: OpaquePointer

  /// `nil` for what is no URL.
  init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    self.url = url
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else { return nil }
  }

  deinit { curl_url_cleanup(url) }

  /// Goes to where a `Location` leads, in the way in which libcurl follows: what should be escaped there is. False for what
  /// is no URL, or none of a scheme that libcurl knows.
  func follow(_ location: [UInt8]) -> Bool {
    // It would end libcurl's string.
    guard !location.contains(0) else { return false }
    // libcurl 7.88 takes the fragment of the base for the end of its path or query, and one that stands alone for a path.
    set(CURLUPART_FRAGMENT, nil)
    let isFragment = location.first == UInt8(ascii: "#")
    guard let base = isFragment ? text : "" else { return false }
    return (Array(base.utf8) + Self.escapingFragment(of: location) + [0]).withUnsafeBytes { bytes in
      let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)) == CURLUE_OK
    }
  }

  /// Escapes what should be in a fragment: there libcurl at times does not, and takes the URL no second time.
  private static func escapingFragment(of location: [UInt8]) -> [UInt8] {
    let start = location.firstIndex(of: UInt8(ascii: "#")) ?? location.endIndex
    let fragment = location[start...].flatMap { byte -> [UInt8] in
      guard byte == UInt8(ascii: " ") || byte >= 0x80 else { return [byte] }
      return Array("%\(String(byte, radix: 16))".utf8)
    }
    return location[..<start] + fragment
  }

  /// The whole of it; `nil` if it is not in UTF-8.
  var text: String? { self[CURLUPART_URL] }

  /// A part as it is written, of ports also the one that goes without saying; `nil` if there is none.
  subscript(part: CURLUPart) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
    guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(validatingCString: text)
  }

  func set(_ part: CURLUPart, _ text: String?) { curl_url_set(url, part, text, 0) }

  /// Whom it asks: its scheme, host and port.
  var origin: [[UInt8]?] {
    [CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_ZONEID, CURLUPART_PORT].map { part in
      // Letters of ASCII alone: libcurl tells whether others are the same.
      self[part].map { $0.utf8.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 } }
    }
  }
}
