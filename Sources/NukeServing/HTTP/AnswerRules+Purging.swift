import NukeCodecs

extension AnswerRules {
  /// Returns the response to a request that has purged an image.
  package func answerToPurge(_ head: RequestHead, requestID: String? = nil) -> Answer {
    var answer = Answer(status: 204, constant: .message, body: .none)
    var varied: VariedFields = []
    appendOrigin(head, to: &answer, &varied)
    answer.append(.cacheControl, "no-store")
    answer.append(.vary, varied.text)
    if settings.sendsRequestID { answer.append(.requestID, requestID) }
    return answer
  }

  /// Returns what clients without client hints can request by a URL: one rendition for each format that can be
  /// negotiated, and the facts about the source.
  package func requests(for request: RenditionRequest, hasDPR: Bool) -> [RenditionRequest] {
    let types = offered.map(\.mediaType)
    var heads = [RequestHead()]
    for accept in types + [types.joined(separator: ", ")] where !accept.isEmpty {
      var head = RequestHead()
      head.append(.accept, accept)
      heads.append(head)
    }
    let requests = heads.map { negotiate(request, hasDPR: hasDPR, isSigned: true, $0).request }
    return Array(Set(requests)) + [.facts(of: request.source)]
  }
}
