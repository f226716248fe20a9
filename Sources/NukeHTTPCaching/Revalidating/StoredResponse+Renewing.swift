extension StoredResponse {
  /// Returns this response with its header fields updated from a 304, 206 or HEAD response (RFC 9111 §3.2).
  ///
  /// - Parameter request: the request whose selecting fields the result gets; `nil` to keep the present ones.
  func renewed(by response: ReceivedResponse, request: CacheRequest?) -> StoredResponse {
    let fields = response.fields.updating(fields)
    return StoredResponse(
      key: key, status: status, fields: fields,
      selecting: request.flatMap { SelectingFields(fields, request: $0.fields) } ?? selecting,
      requestTime: response.requestTime, responseTime: response.responseTime, bodyTime: bodyTime, content: content)
  }

  /// Returns `true` if neither the validators nor the lengths in a HEAD response contradict this response (RFC 9111
  /// §4.3.5).
  func agrees(with response: ReceivedResponse) -> Bool {
    for name in [FieldName.eTag, .lastModified] {
      if let value = response.fields.only(name), value != fields.only(name) { return false }
    }
    guard let length = response.fields.only(.contentLength)?.number(limit: ByteRanges.limit) else { return true }
    switch content {
    case .whole(let known): return known.map { $0 == length } ?? true
    case .part(_, _, let total): return total.map { $0 == length } ?? true
    }
  }

  /// Combines this incomplete response with a received range that begins at `offset` in it (RFC 9111 §3.4). Returns
  /// `nil` if their strong validators differ, if there is a gap between the two, or if one of them is encoded: servers
  /// send the same entity tag with and without a coding.
  func joined(with response: ReceivedResponse, _ range: ContentRange) -> (entry: StoredResponse, offset: Int)? {
    guard case .part(let first, let count, let total) = content, let validator = strongValidator,
      range.bytes.lowerBound >= first, range.bytes.lowerBound <= first + count,
      range.bytes.upperBound + 1 >= first + count, range.total ?? total == total ?? range.total,
      fields.contentCodings.isEmpty, response.fields.contentCodings.isEmpty
    else { return nil }
    let new = StoredResponse(
      key: key, status: 206, fields: response.fields, requestTime: response.requestTime,
      responseTime: response.responseTime, content: content)
    guard new.strongValidator == validator else { return nil }
    let whole = range.total ?? total
    let end = range.bytes.upperBound + 1
    var fields = response.fields.updating(fields)
    fields.remove { $0.known == .contentRange || $0.known == .contentLength }
    let isWhole = first == 0 && whole == end
    if isWhole {
      fields.append("Content-Length", String(end))
    } else {
      fields.append("Content-Range", ContentRange(bytes: first...(end - 1), total: whole).text)
    }
    let entry = StoredResponse(
      key: key, status: isWhole ? 200 : 206, fields: fields, selecting: selecting,
      requestTime: response.requestTime, responseTime: response.responseTime, bodyTime: bodyTime,
      content: isWhole ? .whole(length: end) : .part(first: first, count: end - first, total: whole))
    return (entry, range.bytes.lowerBound - first)
  }
}
