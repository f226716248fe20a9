#if Server
  import HTTPTypes
  import NukeServing
  import Tracing

  // The span of a whole request, with the attributes of OpenTelemetry's conventions for HTTP:
  // <https://opentelemetry.io/docs/specs/semconv/http/http-spans/>.
  extension RequestTracing {
    /// Starts the span of a request, whose parent is the span that the client sends. Returns `nil` if tracing is disabled,
    /// and for the frequent requests of monitoring.
    ///
    /// - Parameters:
    ///   - path: the path in the form that may be logged.
    ///   - seconds: the time since the request arrived.
    func startSpan(
      of request: HTTPRequest, _ route: RequestRoute, id: String, path: @autoclosure () -> String,
      seconds: Double = 0
    ) -> (any Span)? {
      guard let tracer, !route.isOperation else { return nil }
      var parent = ServiceContext.current ?? .topLevel
      tracer.extract(request.headerFields, into: &parent, using: HTTPFieldExtractor())
      // Clients can invent methods.
      let isKnown = Self.knownMethods.contains(request.method)
      let span = tracer.startSpan(
        "\(isKnown ? request.method.rawValue : "HTTP") \(route.rawValue)", context: parent, ofKind: .server,
        at: DefaultTracerClock.now.before(seconds: seconds))
      guard span.isRecording else { return span }
      span.updateAttributes { attributes in
        attributes["http.request.method"] = isKnown ? request.method.rawValue : "_OTHER"
        attributes["http.route"] = route.rawValue
        attributes["url.path"] = path()
        attributes["url.scheme"] = request.scheme
        attributes["nuke.request"] = id
        guard let (host, port) = request.authority.flatMap(Self.hostAndPort) else { return }
        attributes["server.address"] = host
        attributes["server.port"] = port
      }
      return span
    }

    /// Ends the span of a request that has been answered.
    func end(_ span: any Span, _ report: RequestReporter.Report) {
      if span.isRecording {
        span.updateAttributes { attributes in
          attributes["http.response.status_code"] = report.status
          attributes["http.response.body.size"] = report.bytes
          attributes["nuke.origin"] = report.values.origin?.rawValue
          attributes["client.address"] = report.client.address
          if report.status >= 500 { attributes["error.type"] = String(report.status) }
        }
        if report.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
      }
      span.end()
    }

    private static let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .post, .put, .delete, .patch]

    /// Splits the host of a URL, which may be an address of IPv6 in brackets, and its port.
    static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
      guard (1...255).contains(authority.utf8.count) else { return nil }
      guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
        return (authority, nil)
      }
      guard let port = UInt16(authority[authority.index(after: colon)...]) else { return nil }
      return (String(authority[..<colon]), Int(port))
    }
  }

  /// Extracts the trace context from the fields of a request.
  private struct HTTPFieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
  }
#endif
