#if Server
  import CoreMetrics
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging
  import NukeServing
  import Tracing

  /// Stands around all routes: names each request, and tells of it in the log, in metrics, in a trace and in its answer.
  struct RequestObserver<Context: RequestContext>: RouterMiddleware {
    let configuration: ImageServer.Configuration
    let logger: Logger
    let metrics: RequestMetrics
    let statistics: ServerStatistics
    let tracer: any Tracer
    /// Seconds of a clock that only goes forward.
    let clock: @Sendable () -> Double

    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      let start = clock()
      let record = RequestRecord(id: NukeServing.RequestID.of(request.headers[.requestID]))
      var context = context
      // Where Hummingbird has its own.
      context.logger[metadataKey: "hb.request.id"] = .string(record.id)
      context.logger.logLevel = logger.logLevel
      let route = RequestRoute(path: request.uri.path, prefix: configuration.pathPrefix)
      metrics.began()
      statistics.began()
      let path = LoggedPath.of(request.uri.path, prefix: configuration.pathPrefix)
      let span = self.span(request, route, path, record)
      var response = await ServiceContext.$current.withValue(span.context) { [context] in
        await RequestRecord.$current.withValue(record) {
          do {
            return try await next(request, context)
          } catch {
            return Self.response(to: error, request, context, record)
          }
        }
      }
      let seconds = clock() - start
      let values = record.values
      response.headers[.requestID] = record.id
      if configuration.sendsTiming, route.isPicture {
        response.headers[.serverTiming] = Self.serverTiming(values, total: seconds)
      }
      let status = Int(response.status.code)
      metrics.ended(route, request.method, status: status, bytes: response.body.contentLength, seconds: seconds)
      statistics.ended(
        status: status, bytes: response.body.contentLength ?? 0, seconds: seconds, isPicture: route.isPicture)
      span.attributes["http.response.status_code"] = status
      if status >= 500 { span.setStatus(SpanStatus(code: .error)) }
      span.end()
      log(request, record, path, route, response, values, seconds)
      return response
    }

    /// What is answered to an error that a route threw: its own answer, or that something went wrong and no more.
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

    private func span(
      _ request: Request, _ route: RequestRoute, _ path: String, _ record: RequestRecord
    ) -> any Span {
      var parent = ServiceContext.current ?? .topLevel
      tracer.extract(request.headers, into: &parent, using: HTTPFieldExtractor())
      let span = tracer.startSpan("\(request.method.rawValue) \(route.rawValue)", context: parent, ofKind: .server)
      span.attributes["http.request.method"] = request.method.rawValue
      span.attributes["url.path"] = path
      span.attributes["http.route"] = route.rawValue
      span.attributes["nuke.request"] = record.id
      return span
    }

    /// The stages in milliseconds, as browsers show them: <https://www.w3.org/TR/server-timing/>.
    static func serverTiming(_ values: RequestRecord.Values, total: Double) -> String {
      let cache = values.origin.map { ["cache;desc=\($0.rawValue)"] } ?? []
      let stages = (values.stages + [("total", total)]).map {
        "\($0.name);dur=\(($0.seconds * 1_000_000).rounded() / 1000)"
      }
      return (cache + stages).joined(separator: ", ")
    }

    private func log(
      _ request: Request, _ record: RequestRecord, _ path: String, _ route: RequestRoute, _ response: Response,
      _ values: RequestRecord.Values, _ seconds: Double
    ) {
      let status = Int(response.status.code)
      // Those who look after the server ask all the time.
      let level: Logger.Level = status >= 500 ? .error : route.isOperation ? .debug : .info
      guard logger.logLevel <= level else { return }
      func milliseconds(_ seconds: Double) -> Logger.MetadataValue {
        .stringConvertible((seconds * 1_000_000).rounded() / 1000)
      }
      var fields: Logger.Metadata = [
        "method": .string(request.method.rawValue), "path": .string(path), "status": .stringConvertible(status),
        "ms": milliseconds(seconds), "request": .string(record.id),
      ]
      if let bytes = response.body.contentLength { fields["bytes"] = .stringConvertible(bytes) }
      if let origin = values.origin { fields["cache"] = .string(origin.rawValue) }
      if values.isDegraded { fields["degraded"] = "true" }
      if let error = values.error { fields["error"] = .string(error) }
      if !values.stages.isEmpty {
        fields["stages"] = .dictionary(
          Dictionary(uniqueKeysWithValues: values.stages.map { ($0.name, milliseconds($0.seconds)) }))
      }
      logger.log(level: level, "request", metadata: fields)
    }
  }

  extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
    static let serverTiming = Self("Server-Timing")!
  }

  /// Finds a trace's context in the fields of a request.
  private struct HTTPFieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
  }
#endif
