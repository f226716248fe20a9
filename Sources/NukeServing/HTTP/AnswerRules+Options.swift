extension AnswerRules {
  /// The answer to an OPTIONS: what can be asked here, and for scripts of other sites whether they may (CORS).
  package func answerToOptions(_ head: RequestHead, requestID: String? = nil) -> Answer {
    var answer = Answer(status: 204, constant: .message, body: .none)
    var varied: VariedFields = []
    appendOrigin(head, to: &answer, &varied)
    answer.append(.allow, Self.methods)
    answer.append(.vary, varied.text)
    if settings.sendsRequestID { answer.append(.requestID, requestID) }
    let isAllowed = settings.allowedOrigins == .any || answer[.accessControlAllowOrigin] != nil
    guard head[.accessControlRequestMethod] != nil, isAllowed else { return answer }
    answer.append(.accessControlAllowMethods, Self.methods)
    answer.append(.accessControlAllowHeaders, Self.scriptHeaders)
    answer.append(.accessControlMaxAge, "86400")
    return answer
  }

  /// The request headers that scripts may send beside those that browsers always allow.
  private static let scriptHeaders =
    "DPR, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, Viewport-Width, Width, X-Request-ID"
}
