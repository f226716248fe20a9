import NukeHTTPCaching

extension AnswerRules {
  /// Returns the response to a GET or HEAD request that has a rendition.
  ///
  /// - Parameters:
  ///   - seconds: the duration of the request so far, for `Server-Timing`.
  ///   - now: seconds since 1970.
  package func answer(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, with rendition: Rendition, requestID: String? = nil,
    seconds: Double? = nil, now: Int
  ) -> Answer {
    var answer = Answer(status: 200, constant: .image, body: .whole)
    answer.fields.reserveCapacity(12)
    appendShared(head, negotiated, rendition, requestID, seconds, now, to: &answer)
    // A degraded response has no entity tag, so that clients cannot validate it or request ranges of it.
    let tag = rendition.isDegraded ? nil : rendition.entityTag
    let modified = rendition.isDegraded ? nil : rendition.lastModified
    answer.append(.entityTag, tag)
    if let modified { answer.append(.lastModified, HTTPDate.text(modified)) }
    switch ConditionalRequest(head, entityTag: tag, lastModified: modified, now: now) {
    case .notModified:
      answer.status = 304
      answer.body = .none
    case .preconditionFailed:
      fail(412, "The image does not meet the conditions of the request.", head, &answer)
    case .proceed:
      appendBody(head, negotiated, rendition, to: &answer)
    }
    return answer
  }

  /// Appends the fields that a 304 response has too (RFC 9110 §15.4.5).
  private func appendShared(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, _ rendition: Rendition, _ requestID: String?,
    _ seconds: Double?, _ now: Int, to answer: inout Answer
  ) {
    var varied = negotiated.varied
    appendOrigin(head, to: &answer, &varied)
    answer.append(
      .cacheControl,
      CachingFields.cacheControl(
        rendition, negotiated.request.options, isSigned: negotiated.isSigned, isPersonal: negotiated.isPersonal,
        settings, now: now))
    answer.append(.vary, self.varied(varied, isPassing: negotiated.isPassing))
    if settings.sendsRequestID { answer.append(.requestID, requestID) }
    if settings.sendsTiming, let seconds { answer.append(.serverTiming, Self.serverTiming(rendition.origin, seconds)) }
  }

  /// Returns the duration for the developer tools of browsers, in milliseconds with one digit after the decimal point.
  private static func serverTiming(_ origin: Rendition.Origin, _ seconds: Double) -> String {
    let tenths = Int(min(max(0, seconds.isNaN ? 0 : seconds), 1e9) * 10_000)
    return "cache;desc=\(origin.rawValue), total;dur=\(tenths / 10).\(tenths % 10)"
  }

  private func appendBody(
    _ head: RequestHead, _ negotiated: NegotiatedRequest, _ rendition: Rendition, to answer: inout Answer
  ) {
    let length = rendition.data.count
    let type = ContentType.safe(rendition.contentType)
    answer.append(
      .contentDisposition,
      ContentDisposition.text(
        negotiated.request.options, source: negotiated.request.source, contentType: type,
        isAttachment: settings.isAttachment))
    if settings.sendsSizes { appendSizes(of: rendition, to: &answer) }
    // Without an entity tag, clients cannot combine ranges.
    let range = rendition.isDegraded ? .whole : RangeRequest(head, length: length, entityTag: rendition.entityTag)
    switch range {
    case .whole:
      answer.append(.contentType, type)
      answer.append(.contentLength, String(length))
      if head.method == .head { answer.body = .none }
    case .parts(let ranges) where ranges.count == 1:
      answer.status = 206
      answer.append(.contentType, type)
      answer.append(.contentRange, Self.contentRange(ranges[0], of: length))
      answer.append(.contentLength, String(ranges[0].count))
      answer.body = .part(ranges[0])
    case .parts(let ranges):
      answer.status = 206
      let parts = MultipartRanges(ranges, of: length, contentType: type, entityTag: rendition.entityTag)
      answer.append(.contentType, parts.contentType)
      answer.append(.contentLength, String(parts.pieces.reduce(0) { $0 + $1.count }))
      answer.body = .parts(parts.pieces)
    case .unsatisfiable:
      answer.append(.contentRange, "bytes */\(length)")
      fail(416, "The requested ranges are outside of the image.", head, &answer)
    }
  }

  private func appendSizes(of rendition: Rendition, to answer: inout Answer) {
    answer.append(.originContentLength, rendition.sourceByteCount.map(String.init))
    guard let sizes = rendition.sizes else { return }
    answer.append(.originWidth, String(sizes.sourceWidth))
    answer.append(.originHeight, String(sizes.sourceHeight))
    answer.append(.resultWidth, String(sizes.width))
    answer.append(.resultHeight, String(sizes.height))
  }

  /// Turns a response into an error with a plain text.
  private func fail(_ status: Int, _ text: String, _ head: RequestHead, _ answer: inout Answer) {
    answer.status = status
    answer.constant = .message
    answer.fields.removeAll { [.cacheControl, .contentDisposition].contains($0.name) }
    answer.append(.cacheControl, "no-store")
    answer.append(.contentType, ContentType.plainText)
    answer.append(.contentLength, String(text.utf8.count + 1))
    answer.body = head.method == .head ? .none : .text(text + "\n")
  }

  static func contentRange(_ range: Range<Int>, of length: Int) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
  }
}
