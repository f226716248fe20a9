#if Server
  import Hummingbird

  /// Responds to methods for which the router has no route, such as an invented one over HTTP/2, as to all others that
  /// the paths of images do not accept. Must be added after the routes, so that it gets only requests without a route.
  struct UnknownMethods<Context: RequestContext>: RouterMiddleware {
    let routes: ImageRoutes
    /// The prefix of all image paths.
    let prefix: String

    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard RequestRoute(path: request.uri.path, prefix: prefix).isImage else {
        return try await next(request, context)
      }
      return await routes.respond(to: request, endpoint: prefix + "/**", logger: context.logger)
    }
  }
#endif
