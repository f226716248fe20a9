#if Server
  import Hummingbird

  extension Router {
    /// Adds a route for GET and HEAD. The response to HEAD has the status and the header fields of that to GET.
    func getAndHead(
      _ path: RouterPath, use handler: @escaping @Sendable (Request, Context) async throws -> Response
    ) {
      get(path, use: handler)
      head(path) { request, context in try await handler(request, context).createHeadResponse() }
    }
  }
#endif
