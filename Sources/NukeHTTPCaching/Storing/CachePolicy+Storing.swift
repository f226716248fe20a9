extension CachePolicy {
  /// Returns the response to store (RFC 9111 §3), or throws why it must not be stored. The body has not arrived yet:
  /// call ``StoredResponse/finished(bodyLength:)`` when it has.
  package func entry(for response: ReceivedResponse, to request: CacheRequest) throws(Refusal) -> StoredResponse {
    let control = ResponseCacheControl(response.fields)
    let key = CacheURL.key(request.url)
    try checkStatus(response.status, control)
    try checkRequest(request, key: key, response, control)
    if control.noStore && !control.mustUnderstand { throw .noStoreInResponse }
    if control.isPrivate && !storesPrivate { throw .forOneClient }
    guard let selecting = SelectingFields(response.fields, request: request.fields) else { throw .variesByEverything }
    let content = try content(of: response, to: request)
    guard
      control.isPublic || control.maxAge != nil || response.fields.contains(.expires)
        || StatusCode.isHeuristicallyCacheable(response.status)
    else { throw .nothingAllowsIt }
    return StoredResponse(
      key: key, status: response.status, fields: response.fields.storable(control), selecting: selecting,
      requestTime: response.requestTime, responseTime: response.responseTime, content: content)
  }

  private func checkStatus(_ status: Int, _ control: ResponseCacheControl) throws(Refusal) {
    guard (200..<600).contains(status) else { throw .statusNotFinal }
    if StatusCode.isOfOneRequest(status) { throw .statusOfOneRequest }
    if control.mustUnderstand && !StatusCode.isUnderstood(status) { throw .statusNotUnderstood }
  }

  private func checkRequest(
    _ request: CacheRequest, key: String, _ response: ReceivedResponse, _ control: ResponseCacheControl
  ) throws(Refusal) {
    switch request.method {
    case "GET": break
    case "POST":
      // RFC 9110 §9.3.3: a response to POST may answer later GETs if it has explicit freshness, and a Content-Location
      // equal to the URL.
      guard control.maxAge != nil || response.fields.contains(.expires), response.status == 200,
        let location = response.fields.only(.contentLocation),
        CacheURL.key(of: location.text, from: request.url) == key
      else { throw .method }
    default: throw .method
    }
    if request.directives.noStore { throw .noStoreInRequest }
    if !storesAuthorized, request.fields.contains(.authorization),
      !(control.isPublic || control.mustRevalidate || control.hasSharedMaxAge)
    {
      throw .authorized
    }
  }

  private func content(
    of response: ReceivedResponse, to request: CacheRequest
  ) throws(Refusal) -> StoredResponse.Content {
    let length = response.fields.only(.contentLength)?.number(limit: ByteRanges.limit)
    guard response.status == 206 else { return .whole(length: response.status == 204 ? 0 : length) }
    guard request.isGet, let range = response.fields.only(.contentRange).flatMap({ ContentRange($0) }),
      length ?? 0 <= range.bytes.count, response.fields.contentCodings.isEmpty
    else { throw .unclearPart }
    return .part(first: range.bytes.lowerBound, count: range.bytes.count, total: range.total)
  }
}

extension StoredResponse {
  /// Returns the response with the content that has arrived, after the transfer of the body ended.
  ///
  /// If the connection broke in the middle of the body, the result is an incomplete response (RFC 9111 §3.3). Returns
  /// `nil` if there is nothing worth storing, or if the body is longer than `Content-Length` says.
  ///
  /// - Parameter bodyLength: the number of stored bytes, including those stored before a partial response was appended.
  package func finished(bodyLength: Int) -> StoredResponse? {
    var finished = self
    switch content {
    case .whole(let length):
      let length = length ?? bodyLength
      if bodyLength > length { return nil }
      if bodyLength == length {
        finished.content = .whole(length: length)
      } else {
        guard status == 200, bodyLength > 0 else { return nil }
        finished.content = .part(first: 0, count: bodyLength, total: length)
      }
    case .part(let first, let count, let total):
      guard bodyLength > 0, bodyLength <= count else { return nil }
      finished.content = .part(first: first, count: bodyLength, total: total)
    }
    return finished
  }
}
