#if Server
  public import Hummingbird
  public import NukeServing

  /// Routes that answer requests for images, for a Hummingbird server of any kind.
  ///
  /// ```swift
  /// let router = Router()
  /// ImageRoutes(service: service, verifier: URLVerifier(signer: signer)).add(to: router, at: "/images")
  /// let app = Application(router: router, server: .images())
  /// ```
  ///
  /// An image is then at `/images/{signature}/{options}/plain/{source}`, for GET and HEAD; see ``ImageURL``. OPTIONS
  /// tells scripts of other sites what they may do. With the server `.images()`, what is made for a client that goes
  /// away is given up, and clients are held to limits; the routes work with any other server too.
  public struct ImageRoutes: Sendable {
    let service: any RenditionMaking
    /// The service, where it may have images at hand.
    let atHand: (any MemoryRenditions)?
    /// Told for which paths images are sent.
    var answered: AnsweredPaths?
    /// Room for the bytes of long answers.
    var sending: SendingBudget
    let tellsFacts: Bool
    let takesOnlyPresets: Bool
    let rules: AnswerRules
    let constants: ConstantFields
    let urls: ResolvedURLs
    let now: @Sendable () -> Int

    /// - Parameters:
    ///   - service: makes the images, and tells of them.
    ///   - verifier: which URLs are answered. It is asked before anything is loaded.
    ///   - presets: lists of options that URLs name.
    ///   - takesOnlyPresets: whether the URLs of images may name presets and give no option besides.
    ///   - tellsFacts: whether `/info/…`, behind which URLs are the same, is answered with ``ImageFacts`` as JSON.
    ///   - sendingLimit: bytes of long answers that are held at a time until clients have taken them. Past it the
    ///     clients that take nothing are given up, and where there are none, long answers are refused as
    ///     ``ServingError/overloaded(retryAfter:)``. An eighth of the memory that this process may use where it is
    ///     `nil`.
    ///   - now: seconds since 1970.
    public init(
      service: any RenditionMaking, verifier: URLVerifier, presets: ImagePresets = ImagePresets(),
      takesOnlyPresets: Bool = false, settings: AnswerSettings = AnswerSettings(), tellsFacts: Bool = true,
      sendingLimit: Int? = nil, now: @escaping @Sendable () -> Int = ImageRoutes.currentTime
    ) {
      self.service = service
      atHand = service as? any MemoryRenditions
      self.tellsFacts = tellsFacts
      self.takesOnlyPresets = takesOnlyPresets
      self.now = now
      sending = SendingBudget(limit: sendingLimit ?? SendingBudget.defaultLimit)
      rules = AnswerRules(settings)
      constants = ConstantFields(rules)
      urls = ResolvedURLs(verifier, presets)
    }

    /// Adds the routes.
    ///
    /// - Parameter path: what URLs begin with. It may hold parameters of your own, and stand in a group.
    public func add(to router: some RouterMethods, at path: RouterPath = "") {
      add(to: router, path.appendingPath("**"))
    }

    private func add<Methods: RouterMethods>(to router: Methods, _ path: RouterPath) {
      let routes = self
      for method in [HTTPRequest.Method.get, .head, .options] {
        router.on(path, method: method) { (request: Request, context: Methods.Context) in
          await routes.respond(to: request, endpoint: context.endpointPath, logger: context.logger)
        }
      }
    }
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
