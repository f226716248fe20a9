extension CachePolicy {
  /// The keys of what a request may have changed (RFC 9111 §4.4): its URL, and what `Location` and `Content-Location`
  /// name of the same origin, where the method is not known to change nothing and did not fail.
  package func invalidations(by response: ReceivedResponse, to request: CacheRequest) -> [String] {
    guard (200..<400).contains(response.status), !Self.isSafe(request.method) else { return [] }
    var keys = [CacheURL.key(request.url)]
    for name in [FieldName.location, .contentLocation] {
      guard let reference = response.fields.only(name),
        let key = CacheURL.key(of: reference.text, from: request.url), !keys.contains(key)
      else { continue }
      keys.append(key)
    }
    return keys
  }

  /// RFC 9110 §9.2.1.
  private static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }
}
