#if Server
  public import Hummingbird
  public import NukeServing

  /// Routes for images, for any Hummingbird server.
  ///
  /// ```swift
  /// let router = Router()
  /// ImageRoutes(service: service, verifier: URLVerifier(signer: signer)).add(to: router, at: "/images")
  /// let app = Application(router: router, server: .images())
  /// ```
  ///
  /// An image is then available at `/images/{signature}/{options}/plain/{source}`, for GET and HEAD; see `ImageURL`.
  /// OPTIONS answers CORS preflight requests, if the settings allow other origins. DELETE purges the source of an image,
  /// and everything made from it, if the service can do so and the verifier has a `purgeSigner`. The response to other
  /// methods is 405. It is 404 for a path that cannot be that of an image: one without a second segment after the prefix,
  /// such as `/images/favicon.ico`, and one that begins with `.well-known`.
  ///
  /// With the server `.images()`, work is canceled when its client disconnects, and clients have limits. The routes also
  /// work with other servers.
  public struct ImageRoutes: Sendable {
    let service: any RenditionMaking
    /// The service as a source of memory hits; `nil` if it does not support them.
    let memoryRenditions: (any MemoryRenditions)?
    /// Purges images; `nil` if that is not allowed.
    var purging: (any RenditionPurging)?
    /// The prefix of all image paths, for which ``urls`` then remembers the paths of images that were sent; `nil` if these
    /// are not remembered.
    var answeredPrefix: String?
    /// The memory budget for long responses.
    var sending: SendingBudget
    let tellsFacts: Bool
    let fallback: FallbackImage?
    let rules: ResponseRules
    /// The names of the fields that sources may receive, in lower case.
    let passedFields: Set<String>
    let constants: ConstantFields
    var urls: ResolvedURLs
    let now: @Sendable () -> Int

    /// - Parameters:
    ///   - service: provides the images.
    ///   - verifier: verifies the signature of a URL before anything is loaded.
    ///   - urlRules: the rules by which URLs are read.
    ///   - settings: the formats that are offered, and the header fields of responses.
    ///   - tellsFacts: `true` to answer `/info/…`, followed by a URL that is signed for it, with `ImageFacts` as JSON. It
    ///     may reveal what the metadata of an image says about a person or a place.
    ///   - fallback: the image that is sent in place of one whose source cannot be loaded; `nil` for an error.
    ///   - sendingLimit: the maximum size of long responses that clients have not received, in bytes. Above it, clients
    ///     that receive nothing are disconnected. If there are none, long responses fail with
    ///     `ServingError.overloaded`. The default is an eighth of the memory that this process may use.
    ///   - now: returns the time in seconds since 1970.
    public init(
      service: any RenditionMaking, verifier: URLVerifier, urlRules: URLRules = URLRules(),
      settings: AnswerSettings = AnswerSettings(), tellsFacts: Bool = false,
      fallback: FallbackImage? = nil, sendingLimit: Int? = nil,
      now: @escaping @Sendable () -> Int = ImageRoutes.currentTime
    ) {
      self.service = service
      memoryRenditions = service as? any MemoryRenditions
      purging = service as? any RenditionPurging
      self.tellsFacts = tellsFacts
      self.fallback = fallback
      self.now = now
      sending = SendingBudget(limit: sendingLimit)
      rules = ResponseRules(settings)
      passedFields = settings.passthrough.names
      constants = ConstantFields(rules)
      urls = ResolvedURLs(verifier, urlRules)
    }

    /// Adds the routes.
    ///
    /// - Parameters:
    ///   - router: the router or group to which they are added.
    ///   - path: the prefix of all URLs. It may contain parameters and be part of a group.
    public func add(to router: some RouterMethods, at path: RouterPath = "") {
      add(to: router, path.appendingPath("**"))
    }

    private func add<Methods: RouterMethods>(to router: Methods, _ path: RouterPath) {
      let routes = self
      for method in [.get, .head, .options] + HTTPRequest.Method.neverAccepted {
        router.on(path, method: method) { (request: Request, context: Methods.Context) in
          await routes.respond(to: request, endpoint: context.endpointPath, logger: context.logger)
        }
      }
      router.on(path, method: .delete) { (request: Request, context: Methods.Context) in
        await routes.respond(toPurge: request, endpoint: context.endpointPath, logger: context.logger)
      }
    }
  }

  extension HTTPRequest.Method {
    /// The methods to which the response is always 405: the other ones of RFC 9110, and those of extensions that the
    /// parser of HTTP/1.1 accepts. The router has no route for all methods, and responds with 404 to those without one.
    /// `UnknownMethods` responds to them in `ImageServer`.
    static let neverAccepted: [Self] =
      [.post, .put, .patch, .trace, .connect]
      + [
        "ACL", "BIND", "CHECKOUT", "COPY", "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
        "MOVE", "NOTIFY", "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "SOURCE",
        "SUBSCRIBE", "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
      ].compactMap { Self($0) }
  }

  extension RouterMethods {
    /// Adds the routes of an image server; see ``ImageRoutes``.
    @discardableResult
    public func addImages(_ routes: ImageRoutes, at path: RouterPath = "") -> Self {
      routes.add(to: self, at: path)
      return self
    }
  }
#endif
