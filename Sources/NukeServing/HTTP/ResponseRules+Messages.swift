extension ResponseRules {
  /// Returns the response to a request that failed: a public sentence, as text or, for clients that accept it, as JSON.
  package func response(_ head: RequestHead, failing error: ServingError, requestID: String? = nil) -> ServedResponse {
    var response = ServedResponse(status: error.status, constant: .message, body: .none)
    // A client hint may be what makes an image too large. A cache must not repeat the error to other clients.
    var varied = settings.clientHints.varied.union(.accept)
    appendOrigin(head, to: &response, &varied)
    response.append(.cacheControl, CachingFields.cacheControl(error, isPersonal: !head.passed.isEmpty, settings))
    response.append(.vary, self.varied(varied, isPassing: true))
    if case .methodNotAllowed(let allowed) = error { response.append(.allow, allowed) }
    if let seconds = error.retryAfter { response.append(.retryAfter, String(max(0, seconds))) }
    if settings.sendsRequestID { response.append(.requestID, requestID) }
    let types = AcceptedTypes(head[.accept] ?? "")
    let weight = types.weightByName(of: "application/json") ?? 0
    let isJSON = weight > 0 && weight >= types.weightByName(of: "text/plain") ?? 0
    let text =
      isJSON ? Self.json(error, requestID: settings.sendsRequestID ? requestID : nil) : error.publicMessage + "\n"
    response.append(.contentType, isJSON ? ContentType.json : ContentType.plainText)
    response.append(.contentLength, String(text.utf8.count))
    if head.method != .head { response.body = .text(text) }
    return response
  }

  private static func json(_ error: ServingError, requestID: String?) -> String {
    let id = requestID.map { ",\"requestID\":\(JSONText.quoted($0))" } ?? ""
    return "{\"status\":\(error.status),\"message\":\(JSONText.quoted(error.publicMessage))\(id)}\n"
  }
}

package enum JSONText {
  /// Returns a JSON string (RFC 8259 §7).
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.isTextControl:
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Unicode.Scalar {
  /// `true` for line terminators, control characters, and characters that change the direction of text.
  package var isTextControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension ResponseRules {
  /// Returns the response to an OPTIONS request: the supported methods, and what scripts of other sites may do (CORS).
  ///
  /// - Parameter canPurge: `true` if the server accepts DELETE, which scripts of other sites must not send.
  package func responseToOptions(
    _ head: RequestHead, canPurge: Bool = false, requestID: String? = nil
  ) -> ServedResponse {
    var response = ServedResponse(status: 204, constant: .message, body: .none)
    var varied: VariedFields = []
    appendOrigin(head, to: &response, &varied)
    response.append(.allow, methods(canPurge: canPurge))
    response.append(.vary, varied.text)
    if settings.sendsRequestID { response.append(.requestID, requestID) }
    let isAllowed = settings.allowedOrigins == .any || response[.accessControlAllowOrigin] != nil
    guard head[.accessControlRequestMethod] != nil, isAllowed else { return response }
    response.append(.accessControlAllowMethods, methods(canPurge: false))
    response.append(.accessControlAllowHeaders, Self.scriptHeaders)
    response.append(.accessControlMaxAge, "86400")
    return response
  }

  /// The request headers that scripts may send in addition to those that browsers always allow.
  private static let scriptHeaders =
    "DPR, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, Viewport-Width, Width, X-Request-ID"
}
