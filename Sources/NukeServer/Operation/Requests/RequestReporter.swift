#if Server
  import HTTPTypes
  import Logging
  import NukeHTTP
  import NukeServing

  /// Reports requests to the log, the metrics, and in their responses.
  struct RequestReporter: Sendable {
    /// The values to report for a request after its response.
    struct Report {
      var id: String
      var route: RequestRoute
      var method: HTTPRequest.Method
      var status: Int
      /// The size of the body in bytes; `nil` if it is not known.
      var bytes: Int?
      var values: RequestRecord.Values
      /// The time from the request to its response.
      var seconds: Double
      var client: Client
      /// The media type of the response.
      var contentType: String?
      /// The ID of the trace of the request's span; `nil` for that of the client, if it sends one.
      var traceID: String?
    }

    /// The client of a request, as it is logged. Its fields are read only for the log.
    struct Client {
      /// The address of the connection; `nil` if it is not known, as on a Unix socket.
      let address: String?
      private let fields: HTTPFields

      init(address: String?, _ fields: HTTPFields) {
        self.address = address
        self.fields = fields
      }

      /// The `X-Forwarded-For` field, which only a proxy makes true.
      var forwarded: String? { shortened(.forwardedFor) }
      var agent: String? { shortened(.userAgent) }
      /// The ID of the trace that the client sends.
      var traceID: String? { TraceParent(fields)?.traceID }

      private func shortened(_ name: HTTPField.Name) -> String? { fields[name].map { String($0.prefix(200)) } }
    }

    let configuration: ImageServer.Configuration
    let logger: Logger
    let metrics: RequestMetrics
    let statistics: ServerStatistics
    /// A monotonic clock, in seconds.
    let clock: @Sendable () -> Double

    func began() {
      metrics.began()
      statistics.began()
    }

    /// Adds the security header fields of all responses, unless the route has set them.
    static func addProtection(to fields: inout HTTPFields) {
      if !fields.contains(.contentTypeOptions) { fields[.contentTypeOptions] = "nosniff" }
      if !fields.contains(.contentSecurityPolicy) {
        fields[.contentSecurityPolicy] = ResponseRules.contentSecurityPolicy
      }
    }

    /// Adds the request ID to the response, and the timing if clients may see it.
    func addFields(of report: Report, to fields: inout HTTPFields) {
      fields[.requestID] = report.id
      guard configuration.sendsTiming, report.route.isImage else { return }
      fields[.serverTiming] = Self.serverTiming(report.values, total: report.seconds)
    }

    /// - Parameter path: the path in the form that may be logged.
    func ended(_ report: Report, path: @autoclosure () -> String) {
      metrics.ended(
        report.route, report.method, status: report.status, bytes: report.bytes, seconds: report.seconds)
      statistics.ended(
        status: report.status, bytes: report.bytes ?? 0, seconds: report.seconds, isImage: report.route.isImage)
      // Health checks and scrapes are frequent, and one that reports an unready server is not an error.
      let level: Logger.Level =
        switch (report.route.isOperation, report.status >= 500) {
        case (true, false): .debug
        case (false, true): .error
        default: .info
        }
      guard logger.logLevel <= level else { return }
      logger.log(level: level, "request", metadata: Self.metadata(report, path: path()))
    }

    /// Reports a request that the router does not see. Its method and its path may be unknown, and are not reported.
    ///
    /// - Parameters:
    ///   - bytes: the size of the response's body.
    ///   - fields: the fields of the response, to which the request ID is added.
    func rejected(_ request: InvalidRequest, bytes: Int, client: String?, fields: inout HTTPFields) {
      var values = RequestRecord.Values()
      values.error = request.message
      let report = Report(
        id: NukeServing.RequestID.of(nil), route: .other, method: Self.unknownMethod, status: request.status.code,
        bytes: bytes, values: values, seconds: 0, client: Client(address: client, [:]))
      addFields(of: report, to: &fields)
      began()
      ended(report, path: "-")
      metrics.sent(.other, seconds: 0)
    }

    private static let unknownMethod = HTTPRequest.Method("-")!

    /// Returns the stages in milliseconds, in the format of <https://www.w3.org/TR/server-timing/>.
    private static func serverTiming(_ values: RequestRecord.Values, total: Double) -> String {
      let cache = values.origin.map { ["cache;desc=\($0.rawValue)"] } ?? []
      let stages = (values.stages + [("total", total)]).map { "\($0.name);dur=\(milliseconds($0.seconds))" }
      return (cache + stages).joined(separator: ", ")
    }

    private static func metadata(_ report: Report, path: String) -> Logger.Metadata {
      let values = report.values
      var fields: Logger.Metadata = [
        "method": .string(report.method.rawValue), "path": .string(path), "status": .stringConvertible(report.status),
        "ms": .stringConvertible(milliseconds(report.seconds)), "request": .string(report.id),
      ]
      let client = report.client
      if let address = client.address { fields["client"] = .string(address) }
      if let forwarded = client.forwarded { fields["forwarded"] = .string(forwarded) }
      if let agent = client.agent { fields["agent"] = .string(agent) }
      if let trace = report.traceID ?? client.traceID { fields["trace"] = .string(trace) }
      if let host = values.sourceHost { fields["source"] = .string(host) }
      if let type = report.contentType, report.route.isImage { fields["type"] = .string(type) }
      if let bytes = report.bytes { fields["bytes"] = .stringConvertible(bytes) }
      if let origin = values.origin { fields["cache"] = .string(origin.rawValue) }
      if values.isDegraded { fields["degraded"] = "true" }
      if let error = values.error { fields["error"] = .string(error) }
      if !values.stages.isEmpty {
        fields["stages"] = .dictionary(
          Dictionary(
            uniqueKeysWithValues: values.stages.map { ($0.name, .stringConvertible(milliseconds($0.seconds))) }))
      }
      return fields
    }

    /// Converts to milliseconds, rounded to three decimal places.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000_000).rounded() / 1000 }
  }

  extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
    static let traceParent = Self(TraceParent.field)!
    static let traceState = Self(TraceParent.stateField)!
    static let requestID = Self("X-Request-ID")!
    static let serverTiming = Self("Server-Timing")!
  }

  extension TraceParent {
    /// Returns the trace that the fields of a request name; `nil` if there is none.
    init?(_ fields: HTTPFields) {
      guard let text = fields[.traceParent] else { return nil }
      self.init(text, state: fields[.traceState])
    }
  }
#endif
