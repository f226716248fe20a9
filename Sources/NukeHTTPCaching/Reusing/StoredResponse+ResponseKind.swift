extension StoredResponse {
  /// Returns the kind of response to a request that selected this one, or `nil` if requested bytes are not stored.
  func responseKind(for request: CacheRequest) -> Reuse.ResponseKind? {
    switch content {
    case .whole(let length):
      guard status == 200 else { return .whole }
      if request.isConditional, isUnmodified(for: request) { return .notModified }
      guard let length, let ranges = request.ranges, meetsIfRange(of: request) else { return .whole }
      guard ranges.isSatisfiable(by: length) else { return .unsatisfiable }
      // A multipart/byteranges response is never generated: a server may ignore `Range` and send the whole body
      // (RFC 9110 §14.2).
      return ranges.single(of: length).map { .part($0) } ?? .whole
    case .part(let first, let count, let total):
      guard let ranges = request.ranges, !request.isConditional, meetsIfRange(of: request),
        let range = ranges.single(ofWhole: total), range.lowerBound >= first, range.upperBound < first + count
      else { return nil }
      return .part(range)
    }
  }

  /// Evaluates the request's preconditions against this response (RFC 9111 §4.3.2). `If-None-Match` takes precedence
  /// over `If-Modified-Since` (RFC 9110 §13.2.2).
  private func isUnmodified(for request: CacheRequest) -> Bool {
    if let condition = EntityTagCondition(request.fields) { return condition.matches(facts.entityTag) }
    guard let since = request.fields.only(.ifModifiedSince).flatMap({ HTTPDate.seconds($0, now: responseTime) }) else {
      return false
    }
    return facts.lastModified ?? facts.date ?? responseTime.seconds <= since
  }

  /// Returns `true` if the request has no `If-Range`, or one that equals the strong validator (RFC 9110 §13.1.5).
  private func meetsIfRange(of request: CacheRequest) -> Bool {
    guard request.fields.contains(.ifRange) else { return true }
    return request.fields.only(.ifRange).map { $0 == strongValidator } ?? false
  }

  /// Returns the range of stored bytes to send; empty for responses without a body.
  package func bodyRange(for kind: Reuse.ResponseKind, storedLength: Int) -> Range<Int> {
    switch kind {
    case .whole: return 0..<storedLength
    case .part(let range):
      let first = if case .part(let first, _, _) = content { first } else { 0 }
      let lower = min(storedLength, max(0, range.lowerBound - first))
      return lower..<min(storedLength, max(lower, range.upperBound - first + 1))
    case .unsatisfiable, .notModified: return 0..<0
    }
  }

  /// Returns the status and header fields of the response to send. `Age` is set to the current age (RFC 9111 §4).
  package func head(for reuse: Reuse) -> (status: Int, fields: HTTPFields) {
    var head = fields
    var status = status
    switch reuse.kind {
    case .whole: break
    case .part(let range):
      status = 206
      head.remove { $0.known == .contentLength || $0.known == .contentRange }
      head.append("Content-Range", ContentRange(bytes: range, total: totalLength).text)
      head.append("Content-Length", String(range.count))
    case .unsatisfiable:
      status = 416
      head.remove { $0.known != .date }
      head.append("Content-Range", "bytes */\(totalLength.map(String.init) ?? "*")")
      head.append("Content-Length", "0")
    case .notModified:
      status = 304
      // RFC 9110 §15.4.5 lists the fields of a 304. Last-Modified is sent only if there is no entity tag.
      let isTagged = fields.contains(.eTag)
      head.remove { field in
        switch field.known {
        case .cacheControl, .contentLocation, .date, .eTag, .expires, .vary: false
        case .lastModified: isTagged
        default: true
        }
      }
    }
    head.set(.age, String(reuse.freshness.age))
    return (status, head)
  }

  private var totalLength: Int? {
    switch content {
    case .whole(let length): length
    case .part(_, _, let total): total
    }
  }
}

extension ByteRanges {
  /// Returns the bytes of a single range in a body of `total` bytes. If `total` is `nil`, only a range with both ends
  /// can be resolved; otherwise returns `nil`.
  fileprivate func single(ofWhole total: Int?) -> ClosedRange<Int>? {
    if let total { return single(of: total) }
    guard ranges.count == 1, case .from(let first, .some(let last)) = ranges[0] else { return nil }
    return first...last
  }
}
