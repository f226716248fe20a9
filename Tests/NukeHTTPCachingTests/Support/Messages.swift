import NukeHTTPCaching

let url = "https://pictures.test/a.jpg"

func request(
  _ fields: HTTPFields = [:], method: String = "GET", url: String = url, mode: CacheRequest.Mode = .respect
) -> CacheRequest {
  CacheRequest(method: method, url: url, fields: fields, mode: mode)
}

/// A response whose request was sent `delay` seconds before it came, at `time`.
func received(
  _ status: Int = 200, _ fields: HTTPFields, at time: Timestamp = noon, delay: Int = 0
) -> ReceivedResponse {
  ReceivedResponse(status: status, fields: fields, requestTime: time + -delay, responseTime: time)
}

/// What is stored of such a response with a body of 100 bytes, without asking whether it may be.
func stored(
  _ fields: HTTPFields, status: Int = 200, at time: Timestamp = noon, delay: Int = 0,
  selecting request: HTTPFields = [:], content: StoredResponse.Content = .whole(length: 100)
) -> StoredResponse {
  StoredResponse(
    key: CacheURL.key(url), status: status, fields: fields,
    selecting: SelectingFields(fields, request: request) ?? .none, requestTime: time + -delay, responseTime: time,
    content: content)
}

extension Reception {
  /// How a stored response answers, if one does.
  var reuse: Reuse? { if case .stored(let reuse) = delivery { reuse } else { nil } }
}

extension Decision {
  /// One word for each kind.
  var kind: String {
    switch self {
    case .use: "use"
    case .useStale: "useStale"
    case .validate: "validate"
    case .fetch: "fetch"
    case .unavailable: "unavailable"
    }
  }
}
