import NukeHTTPCaching

extension ResponseRules {
  /// Returns the response to a GET or HEAD request that has a rendition.
  ///
  /// - Parameters:
  ///   - seconds: the duration of the request so far, for `Server-Timing`.
  ///   - now: seconds since 1970.
  package func response(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, with rendition: Rendition, requestID: String? = nil,
    seconds: Double? = nil, now: Int
  ) -> ServedResponse {
    var response = ServedResponse(status: 200, constant: .image, body: .whole)
    response.fields.reserveCapacity(12)
    appendShared(head, negotiated, rendition, requestID, seconds, now, to: &response)
    // A degraded response has no entity tag, so that clients cannot validate it or request ranges of it.
    let tag = rendition.isDegraded ? nil : entityTag(of: rendition)
    let modified = rendition.isDegraded ? nil : rendition.lastModified
    response.append(.entityTag, tag)
    if let modified { response.append(.lastModified, HTTPDate.text(modified)) }
    switch ConditionalRequest(head, entityTag: tag, lastModified: modified, now: now) {
    case .notModified:
      response.status = 304
      response.body = .none
    case .preconditionFailed:
      fail(412, "The image does not meet the conditions of the request.", head, &response)
    case .proceed:
      appendBody(head, negotiated, rendition, to: &response)
    }
    return response
  }

  private func entityTag(of rendition: Rendition) -> String {
    guard !settings.entityTagSuffix.isEmpty, rendition.entityTag.hasSuffix("\"") else { return rendition.entityTag }
    return rendition.entityTag.dropLast() + settings.entityTagSuffix + "\""
  }

  /// Appends the fields that a 304 response has too (RFC 9110 §15.4.5).
  private func appendShared(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, _ rendition: Rendition, _ requestID: String?,
    _ seconds: Double?, _ now: Int, to response: inout ServedResponse
  ) {
    var varied = negotiated.varied
    appendOrigin(head, to: &response, &varied)
    response.append(
      .cacheControl,
      CachingFields.cacheControl(
        rendition, negotiated.request.options, isSigned: negotiated.isSigned, isPersonal: negotiated.isPersonal,
        settings, now: now))
    response.append(.vary, self.varied(varied, isPassing: negotiated.isPassing))
    let tags = negotiated.request.options.cacheTags
    if !tags.isEmpty {
      let text = tags.joined(separator: ",")
      response.append(.cacheTag, text)
      response.append(.cacheTagOfCloudFront, text)
    }
    if settings.sendsRequestID { response.append(.requestID, requestID) }
    if settings.sendsTiming, let seconds {
      response.append(.serverTiming, Self.serverTiming(rendition.origin, seconds))
    }
  }

  /// Returns the duration for the developer tools of browsers, in milliseconds with one digit after the decimal point.
  private static func serverTiming(_ origin: Rendition.Origin, _ seconds: Double) -> String {
    let tenths = Int(min(max(0, seconds.isNaN ? 0 : seconds), 1e9) * 10_000)
    return "cache;desc=\(origin.rawValue), total;dur=\(tenths / 10).\(tenths % 10)"
  }

  private func appendBody(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, _ rendition: Rendition, to response: inout ServedResponse
  ) {
    let length = rendition.data.count
    let type = ContentType.safe(rendition.contentType)
    response.append(
      .contentDisposition,
      ContentDisposition.text(
        negotiated.request.options, source: negotiated.request.source, contentType: type,
        isAttachment: settings.isAttachment))
    if settings.sendsSizes { appendSizes(of: rendition, to: &response) }
    // Without an entity tag, clients cannot combine ranges.
    let range = rendition.isDegraded ? .whole : RangeRequest(head, length: length, entityTag: entityTag(of: rendition))
    switch range {
    case .whole:
      response.append(.contentType, type)
      response.append(.contentLength, String(length))
      if head.method == .head { response.body = .none }
    case .parts(let ranges) where ranges.count == 1:
      response.status = 206
      response.append(.contentType, type)
      response.append(.contentRange, Self.contentRange(ranges[0], of: length))
      response.append(.contentLength, String(ranges[0].count))
      response.body = .part(ranges[0])
    case .parts(let ranges):
      response.status = 206
      let parts = MultipartRanges(ranges, of: length, contentType: type, entityTag: rendition.entityTag)
      response.append(.contentType, parts.contentType)
      response.append(.contentLength, String(parts.pieces.reduce(0) { $0 + $1.count }))
      response.body = .parts(parts.pieces)
    case .unsatisfiable:
      response.append(.contentRange, "bytes */\(length)")
      fail(416, "The requested ranges are outside of the image.", head, &response)
    }
  }

  private func appendSizes(of rendition: Rendition, to response: inout ServedResponse) {
    response.append(.originContentLength, rendition.sourceByteCount.map(String.init))
    guard let sizes = rendition.sizes else { return }
    response.append(.originWidth, String(sizes.sourceWidth))
    response.append(.originHeight, String(sizes.sourceHeight))
    response.append(.resultWidth, String(sizes.width))
    response.append(.resultHeight, String(sizes.height))
  }

  /// Turns a response into an error with a plain text.
  private func fail(_ status: Int, _ text: String, _ head: RequestHead, _ response: inout ServedResponse) {
    response.status = status
    response.constant = .message
    response.fields.removeAll { [.cacheControl, .contentDisposition].contains($0.name) }
    response.append(.cacheControl, "no-store")
    response.append(.contentType, ContentType.plainText)
    response.append(.contentLength, String(text.utf8.count + 1))
    response.body = head.method == .head ? .none : .text(text + "\n")
  }

  static func contentRange(_ range: Range<Int>, of length: Int) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
  }
}
