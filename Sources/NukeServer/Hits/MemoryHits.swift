#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import NukeBase
  import NukeHTTPCaching
  import NukeServing
  import Tracing

  /// Answers requests whose image is in memory, at once and on the event loop. The responses equal those of the routes.
  ///
  /// Leaves all other requests to the routes: paths for which the routes have not sent an image recently, byte ranges,
  /// requests with a body, and images that are stale or not in memory.
  struct MemoryHits: Sendable {
    /// The response to a memory hit.
    struct HitResponse {
      var head: HTTPResponse
      /// The body; `nil` if there is none.
      var body: ByteBuffer?
    }

    private let routes: ImageRoutes
    private let renditions: any MemoryRenditions
    private let reporter: RequestReporter
    private let tracing: RequestTracing
    private let date = DateField()

    /// Returns `nil` if the routes do not remember paths or cannot look in memory.
    init?(_ routes: ImageRoutes?, reporter: RequestReporter, tracing: RequestTracing) {
      guard let routes, let renditions = routes.memoryRenditions, routes.answeredPrefix != nil else { return nil }
      self.routes = routes
      self.renditions = renditions
      self.reporter = reporter
      self.tracing = tracing
    }

    /// Returns the known request for a path; `nil` if the routes must answer it.
    func path(of request: HTTPRequest) -> AnsweredPath? {
      guard request.method == .get || request.method == .head, let path = request.path else { return nil }
      return routes.urls.answered(path, authorization: request.headerFields[.authorization])
    }

    /// Returns the response to a complete request; `nil` if the routes must answer it. The response is counted and
    /// logged.
    ///
    /// - Parameters:
    ///   - known: the result of ``path(of:)`` for the request.
    ///   - client: the address of the client.
    func response(to request: HTTPRequest, for known: AnsweredPath, client: String? = nil) -> HitResponse? {
      let start = reporter.clock()
      let now = routes.now()
      guard !known.resolved.isExpired(at: now), let head = head(of: request) else { return nil }
      let negotiated = routes.rules.negotiate(known.resolved, head)
      let lookedAt = reporter.clock()
      guard let rendition = renditions.renditionInMemory(for: negotiated.request, byteLimit: Response.wholeBodyLimit)
      else { return nil }
      var values = RequestRecord.Values()
      values.origin = rendition.origin
      values.sourceHost = known.sourceHost
      values.stages = [("rendition", reporter.clock() - lookedAt)]
      let id = NukeServing.RequestID.of(head[.requestID])
      let served = routes.rules.response(head, negotiated, with: rendition, requestID: id, now: now)
      let body = ByteBuffer(served.body, rendition.data)
      var response = HTTPResponse(
        status: HTTPResponse.Status(code: served.status), headerFields: HTTPFields(served, routes.constants))
      var report = RequestReporter.Report(
        id: id, route: .image, method: request.method, status: served.status, bytes: body?.readableBytes ?? 0,
        values: values, seconds: reporter.clock() - start,
        client: RequestReporter.Client(address: client, request.headerFields), contentType: rendition.contentType)
      let span = tracing.startSpan(of: request, .image, id: id, path: known.loggedPath, seconds: report.seconds)
      report.traceID = span?.context.trace?.traceID
      reporter.addFields(of: report, to: &response.headerFields)
      response.headerFields.append(date.field(at: now))
      if let span { tracing.end(span, report) }
      reporter.began()
      reporter.ended(report, path: known.loggedPath)
      reporter.metrics.sent(.image, seconds: report.seconds)
      return HitResponse(head: response, body: body)
    }

    /// Returns the head of a simple request; `nil` for other requests.
    private func head(of request: HTTPRequest) -> RequestHead? {
      var head = RequestHead(request.method == .head ? .head : .get)
      let passed = routes.passedFields
      for field in request.headerFields {
        if !passed.isEmpty, passed.contains(field.name.canonicalName) {
          head.append(passed: field.name.canonicalName, field.value)
        }
        if let name = RequestHead.Name(lowercased: field.name.canonicalName) {
          if name == .range { return nil }
          head.append(name, field.value)
        } else {
          switch field.name.canonicalName {
          case "connection":
            if !field.keepsConnection { return nil }
          case "content-length", "expect", "transfer-encoding", "upgrade": return nil
          default: break
          }
        }
      }
      return head
    }
  }

  extension HTTPField {
    /// `true` if a `Connection` field states only the default (RFC 9112 §9.3).
    var keepsConnection: Bool { value.lowercased() == "keep-alive" }
  }

  /// The `Date` field (RFC 9110 §6.6.1), formatted once a second.
  final class DateField: Sendable {
    private let last = Lock<(second: Int, field: HTTPField)?>(nil)

    /// - Parameter now: seconds since 1970.
    func field(at now: Int) -> HTTPField {
      last.withLock { last in
        if let last, last.second == now { return last.field }
        let field = HTTPField(name: .date, value: HTTPDate.text(now))
        last = (now, field)
        return field
      }
    }
  }
#endif
