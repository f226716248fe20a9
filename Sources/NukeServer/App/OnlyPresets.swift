#if Server
  import Hummingbird
  import NIOCore
  import NukeServing

  /// Refuses URLs that say more of a picture than which presets it is made by.
  struct OnlyPresets<Context: RequestContext>: RouterMiddleware {
    let prefix: String

    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard RequestRoute(path: request.uri.path, prefix: prefix) == .picture,
        let url = try? ImageURL(path: String(request.uri.path.dropFirst(prefix.count))),
        let option = url.options.first(where: { $0.name != "preset" && $0.name != "pr" })
      else { return try await next(request, context) }
      let error = ServingError.invalidOption(option.name, "URLs may name presets and nothing else here")
      return Response(
        status: .badRequest, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: error.publicMessage + "\n")))
    }
  }
#endif
