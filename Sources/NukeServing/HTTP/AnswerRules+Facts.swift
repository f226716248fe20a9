extension AnswerRules {
  /// The answer to a request for what is known of a picture.
  ///
  /// - Parameters:
  ///   - expires: seconds since 1970 after which the URL is refused.
  ///   - now: seconds since 1970.
  package func answer(
    _ head: RequestHead, json: String, requestID: String? = nil, expires: Int? = nil, now: Int
  ) -> Answer {
    var answer = Answer(status: 200, constant: .message, body: head.method == .head ? .none : .text(json))
    var varied: VariedFields = []
    appendOrigin(head, to: &answer, &varied)
    answer.append(.vary, varied.text)
    answer.append(.cacheControl, CachingFields.cacheControl(expires: expires, settings, now: now))
    if settings.sendsRequestID { answer.append(.requestID, requestID) }
    answer.append(.contentType, ContentType.json)
    answer.append(.contentLength, String(json.utf8.count))
    return answer
  }
}
