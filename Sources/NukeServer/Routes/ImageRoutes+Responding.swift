#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import Logging
  import NukeServing

  extension ImageRoutes {
    /// Returns the current time in seconds since 1970.
    public static let currentTime: @Sendable () -> Int = { time(nil) }

    /// Returns the response to a request. Errors become responses too.
    ///
    /// - Parameter endpoint: the path of the route, such as `/images/**`.
    func respond(to request: Request, endpoint: String?, logger: Logger) async -> Response {
      let method: RequestHead.Method =
        switch request.method {
        case .head: .head
        case .options: .options
        default: .get
        }
      let head = RequestHead(method, request.headers, passing: passedFields)
      var logger = logger
      let id = Self.requestID(head, &logger)
      let path = Self.path(of: request, behind: endpoint)
      do throws(ServingError) {
        guard RoutedPath.canBeImage(Substring(path)) else { throw .unknownPath }
        guard accepts(request.method) else { throw .methodNotAllowed(allowed: rules.methods(canPurge: canPurge)) }
        if method == .options {
          return Response(rules.responseToOptions(head, canPurge: canPurge, requestID: id), constants)
        }
        guard urls.accepts(authorization: request.headers[.authorization]) else { throw .wrongToken }
        let isInfo = path.hasPrefix("/info/")
        if isInfo, !tellsFacts { throw .wrongSignature }
        let resolved = try urls.resolve(path, now: now())
        RequestRecord.current?.set(source: resolved.source)
        if isInfo {
          let negotiated = rules.negotiateFacts(
            source: resolved.source, expires: resolved.request.options.expires, isSigned: resolved.isSigned, head)
          return try await show(negotiated, head, id)
        }
        let negotiated = rules.negotiate(resolved, head)
        do throws(ServingError) {
          let response = try await show(negotiated, head, id)
          if let sent = request.head.path, let answeredPrefix {
            urls.noteAnswered(sent, resolved, prefix: answeredPrefix)
          }
          return response
        } catch {
          guard let fallback = rules.fallback(for: error, negotiated.request, ofServer: fallback) else { throw error }
          note(error, path, logger)
          return try await show(fallback, for: error, negotiated, head, id)
        }
      } catch {
        note(error, path, logger)
        return Response(rules.response(head, failing: error, requestID: id), constants)
      }
    }

    /// `true` if DELETE requests with a signature for purges are accepted.
    var canPurge: Bool { purging != nil && urls.verifiesPurges }

    private func accepts(_ method: HTTPRequest.Method) -> Bool {
      method == .get || method == .head || method == .options && rules.settings.allowedOrigins != .none
    }

    /// Adds an error to the log entry of the request, or logs it if nothing else logs the request.
    func note(_ error: ServingError, _ path: String, _ logger: Logger) {
      guard let record = RequestRecord.current else {
        return error.log(to: logger, path: LoggedPath.of(path, prefix: ""))
      }
      record.set(error: error.description)
    }

    private func show(
      _ negotiated: ResponseRules.NegotiatedRequest, _ head: RequestHead, _ id: String?
    ) async throws(ServingError) -> Response {
      let start = rules.settings.sendsTiming ? ContinuousClock.now : nil
      let rendition = try await rendition(for: negotiated.request)
      let seconds: Double? = start.map { $0.duration(to: .now) / .seconds(1) }
      let served = rules.response(head, negotiated, with: rendition, requestID: id, seconds: seconds, now: now())
      return Response(served, constants, rendition.data, reservation: try reservation(for: rendition, in: served))
    }

    /// Returns the response with the fallback image.
    ///
    /// - Throws: the original error, if the fallback image cannot be rendered either.
    private func show(
      _ fallback: FallbackImage, for error: ServingError, _ negotiated: ResponseRules.NegotiatedRequest,
      _ head: RequestHead, _ id: String?
    ) async throws(ServingError) -> Response {
      var negotiated = negotiated
      (negotiated.request.source, negotiated.request.sourceFields) = (fallback.source, [:])
      // These are about the source.
      negotiated.request.options.sourceHash = nil
      guard let rendition = try? await rendition(for: negotiated.request) else { throw error }
      let served = rules.response(head, negotiated, with: rendition, for: error, fallback, requestID: id, now: now())
      return Response(served, constants, rendition.data, reservation: try reservation(for: rendition, in: served))
    }

    /// Returns the reservation of a long response in the sending budget. Returns `nil` for a short response, and if the
    /// connection holds the reservation.
    private func reservation(
      for rendition: Rendition, in served: ServedResponse
    ) throws(ServingError) -> SendingBudget.Reservation? {
      guard served.body.isLong(in: rendition.data) else { return nil }
      guard let connection = ClientConnection.current else { return try sending.reserve(rendition) {} }
      // The connection holds the reservation, because it buffers bytes for longer than the writing task runs.
      connection.keep(try sending.reserve(rendition) { [weak connection] in connection?.close() })
      return nil
    }

    private func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      if let rendition = memoryRenditions?.renditionInMemory(for: request, byteLimit: .max) { return rendition }
      guard let connection = ClientConnection.current else { return try await service.rendition(for: request) }
      return try await connection.cancelingOnDisconnect { () async throws(ServingError) in
        try await service.rendition(for: request)
      }
    }

    /// Returns the client's request ID if it has an acceptable one; otherwise the server's.
    static func requestID(_ head: RequestHead, _ logger: inout Logger) -> String? {
      guard let id = NukeServing.RequestID.accepted(head[.requestID]) else {
        return logger[metadataKey: "hb.request.id"]?.description
      }
      logger[metadataKey: "request.id"] = .string(id)
      return id
    }

    /// Returns the path after the prefix of the routes, as it was sent and without the query. Signatures are computed
    /// from these bytes.
    static func path(of request: Request, behind endpoint: String?) -> String {
      // A proxy may send an absolute URL.
      let sent = request.head.path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? request.uri.path
      var rest = Substring(sent).utf8
      if let query = rest.firstIndex(of: UInt8(ascii: "?")) { rest = rest[..<query] }
      let slashes = endpoint?.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } ?? 1
      for _ in 1..<max(slashes, 1) {
        rest = rest.drop { $0 == UInt8(ascii: "/") }
        rest = rest.drop { $0 != UInt8(ascii: "/") }
      }
      return String(Substring(rest))
    }
  }

  extension ServingError {
    /// Logs the error for the operator. Errors that clients cause are below the default log level.
    fileprivate func log(to logger: Logger, path: String) {
      let level: Logger.Level =
        switch self {
        case .failed: .error
        case .sourceFailed, .sourceTimedOut, .deadlineExceeded, .purgeNotShared: .warning
        case .sourceNotAllowed: .notice
        case .overloaded, .shuttingDown: .info
        default: .debug
        }
      logger.log(
        level: level, "\(description)", metadata: ["status": "\(status)", "path": "\(path)"])
    }
  }

  extension RequestHead {
    /// Reads the header fields that affect the response.
    ///
    /// - Parameter passed: the names of the fields that sources may receive, in lower case.
    init(_ method: Method, _ fields: HTTPFields, passing passed: Set<String>) {
      self.init(method)
      for field in fields {
        let name = field.name.canonicalName
        if let known = Name(lowercased: name) { append(known, field.value) }
        if passed.contains(name) { append(passed: name, field.value) }
      }
    }
  }
#endif
