import CNukeCurl
import Foundation

/// A URL as libcurl parses it.
final class CurlURL {
  private let url: OpaquePointer

  /// Parses a URL; `nil` if the text is not one.
  init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    self.url = url
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else { return nil }
  }

  deinit { curl_url_cleanup(url) }

  /// Resolves a `Location` against this URL as libcurl does, escaped like every URL from outside. Returns `false` if the
  /// result is not a URL with a scheme that libcurl supports.
  func follow(_ location: [UInt8]) -> Bool {
    // HTTP forbids a zero byte in a field (RFC 9110 §5.5).
    guard !location.contains(0) else { return false }
    // libcurl 7.88 treats the fragment of the base as part of its path or query, and a `Location` with only a fragment
    // as a path.
    set(CURLUPART_FRAGMENT, nil)
    let isFragment = location.first == UInt8(ascii: "#")
    guard let base = isFragment ? text : "" else { return false }
    // libcurl would escape a space in a query as a plus sign, and leave other bytes that `URL` cannot contain.
    return (Array(base.utf8) + URL.escaped(location) + [0]).withUnsafeBytes { bytes in
      curl_url_set(url, CURLUPART_URL, bytes.assumingMemoryBound(to: CChar.self).baseAddress, 0) == CURLUE_OK
    }
  }

  /// The whole URL; `nil` if it is not UTF-8.
  var text: String? { self[CURLUPART_URL] }

  /// Returns a part as it is written; for the port, the default if none is written. Returns `nil` if the part is
  /// missing.
  subscript(part: CURLUPart) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
    guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(validatingCString: text)
  }

  func set(_ part: CURLUPart, _ text: String?) { curl_url_set(url, part, text, 0) }

  /// The scheme, host and port.
  var origin: [[UInt8]?] {
    [CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_ZONEID, CURLUPART_PORT].map { part in
      // Only ASCII letters are lowercased. libcurl decides whether other spellings are equal.
      self[part].map { $0.utf8.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 } }
    }
  }
}

extension String {
  /// The part of a URL before the path, as it is written: scheme, host and port.
  package var originOfURL: Substring {
    var slashes = 0
    let end = utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    return self[..<(end ?? endIndex)]
  }
}
