#if Server
  import Hummingbird
  import Logging
  import NukeServing

  extension ImageRoutes {
    /// Returns the response to a DELETE request, which purges the source of an image and all that was made from it.
    ///
    /// The work is not canceled when the client disconnects.
    func respond(toPurge request: Request, endpoint: String?, logger: Logger) async -> Response {
      let head = RequestHead(.get, request.headers, passing: [])
      var logger = logger
      let id = Self.requestID(head, &logger)
      let path = Self.path(of: request, behind: endpoint)
      do throws(ServingError) {
        guard RoutedPath.canBeImage(Substring(path)) else { throw .unknownPath }
        guard canPurge, let purging else { throw .methodNotAllowed(allowed: rules.methods(canPurge: false)) }
        let url = try urls.resolvePurge(path, now: now())
        RequestRecord.current?.set(source: url.source)
        try await purging.purge(url.source, results: rules.requests(for: url.request, hasDPR: url.hasDPR))
        return Response(rules.responseToPurge(head, requestID: id), constants)
      } catch {
        note(error, path, logger)
        return Response(rules.response(head, failing: error, requestID: id), constants)
      }
    }
  }
#endif
