import NukeCodecs

extension ResponseRules {
  /// Returns the response to a request that has purged an image.
  package func responseToPurge(_ head: RequestHead, requestID: String? = nil) -> ServedResponse {
    var response = ServedResponse(status: 204, constant: .message, body: .none)
    var varied: VariedFields = []
    appendOrigin(head, to: &response, &varied)
    response.append(.cacheControl, "no-store")
    response.append(.vary, varied.text)
    if settings.sendsRequestID { response.append(.requestID, requestID) }
    return response
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
