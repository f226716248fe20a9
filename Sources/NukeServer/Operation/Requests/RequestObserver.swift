#if Server
  import HTTPTypes
  import Hummingbird
  import Logging
  import NukeServing
  import Tracing

  /// A middleware around all routes. It gives each request an ID, and reports it in the log, the metrics, a trace, and
  /// the response.
  struct RequestObserver<Context: RequestContext>: RouterMiddleware {
    let reporter: RequestReporter
    let tracing: RequestTracing

    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      let start = reporter.clock()
      let record = RequestRecord(id: NukeServing.RequestID.of(request.headers[.requestID]))
      var context = context
      // Hummingbird's own key for its request ID.
      context.logger[metadataKey: "hb.request.id"] = .string(record.id)
      context.logger.logLevel = reporter.logger.logLevel
      let route = RequestRoute(
        path: request.uri.path, prefix: reporter.configuration.pathPrefix,
        healthPath: reporter.configuration.healthRoute)
      reporter.began()
      let span = tracing.startSpan(
        of: request.head, route, id: record.id,
        path: LoggedPath.of(request.uri.path, prefix: reporter.configuration.pathPrefix))
      // A tracer passes on the context of its own span.
      let trace = span == nil && reporter.configuration.propagatesTraces ? TraceParent(request.headers) : nil
      var response = await RequestTracing.within(span) { [context] in
        await RequestRecord.$current.withValue(record) {
          await TraceParent.$current.withValue(trace) {
            do {
              return try await next(request, context)
            } catch {
              return Self.response(to: error, request, context, record)
            }
          }
        }
      }
      report(request, route, record, start, span, in: &response)
      return response
    }

    /// Reports a request that has been answered, and adds the fields that each response has.
    private func report(
      _ request: Request, _ route: RequestRoute, _ record: RequestRecord, _ start: Double, _ span: (any Span)?,
      in response: inout Response
    ) {
      let report = RequestReporter.Report(
        id: record.id, route: route, method: request.method, status: Int(response.status.code),
        bytes: response.body.contentLength, values: record.values, seconds: reporter.clock() - start,
        client: RequestReporter.Client(address: ClientConnection.current?.address, request.headers),
        contentType: response.headers[.contentType], traceID: span?.context.trace?.traceID)
      RequestReporter.addProtection(to: &response.headers)
      reporter.addFields(of: report, to: &response.headers)
      if let span { tracing.end(span, report) }
      reporter.ended(report, path: LoggedPath.of(request.uri.path, prefix: reporter.configuration.pathPrefix))
      record.whenSent { [metrics = reporter.metrics, clock = reporter.clock] in
        metrics.sent(route, seconds: clock() - start)
      }
    }

    /// Returns the response to an error of a route: the error's own, or 500 without details.
    private static func response(
      to error: any Error, _ request: Request, _ context: Context, _ record: RequestRecord
    ) -> Response {
      if let error = error as? any HTTPResponseError {
        if let response = try? error.response(from: request, context: context) { return response }
        return Response(status: error.status)
      }
      record.set(error: String(describing: error))
      return Response(status: .internalServerError)
    }
  }
#endif
