#if Server
  import Hummingbird
  public import Logging
  import Nuke
  import NukeS3
  import NukeSandbox
  import NukeServing
  public import Tracing

  extension ImageServer {
    /// A server as its configuration says.
    ///
    /// - Parameters:
    ///   - metrics: what the server's figures are kept in.
    ///   - tracer: gets a span for each request and each stage of it, and tells sources which trace they belong to; the one
    ///     that the program was bootstrapped with unless it is given.
    /// - Throws: ``ConfigurationError`` for what cannot be set up: a folder that is missing, a preset that is none.
    public init(
      _ configuration: Configuration, metrics: PrometheusRegistry = PrometheusRegistry(),
      tracer: (any Tracer)? = nil, logger: Logger
    ) throws(ConfigurationError) {
      let tracer = tracer ?? InstrumentationSystem.tracer
      self.init(
        configuration, parts: try ServerParts(configuration, metrics: metrics, tracer: tracer, logger: logger),
        metrics: metrics, tracer: tracer, logger: logger)
    }
  }

  extension ServerParts {
    /// The real ones: sources are loaded by the pipeline, made into images by the renderer when the service has room
    /// for it, kept in the stores, and sent by the routes.
    init(
      _ configuration: ImageServer.Configuration, metrics: PrometheusRegistry,
      tracer: any Tracer = InstrumentationSystem.tracer, logger: Logger
    ) throws(ConfigurationError) {
      let presets = try configuration.imagePresets
      let signer = configuration.signer
      let pipeline = try ImagePipeline(configuration: configuration.pipeline(metrics: metrics, tracer: tracer))
      if let budget = (pipeline.configuration.dataLoader as? SourceLoader)?.budget {
        collectors.append { budget.statistics.metrics }
      }
      let renderer = try configuration.renderer
      // The nearest first: each is asked only for what those before it do not have, and given what those behind it have.
      var stores: [any DataCaching] = []
      var leasing: (any DataLeasing)?
      if let folder = try configuration.diskResults { stores.append(folder) }
      #if Redis
        if let url = configuration.redisURL {
          let shared = try SharedStore(
            url: url, timeout: configuration.redisTimeout, leaseTimeout: configuration.requestTimeout, logger: logger)
          stores.append(shared.cache)
          leasing = shared.cache
          collectors.append(shared.metrics)
          if configuration.requiresRedis {
            shared.awaitServer()
            complaint = { shared.complaint() }
          }
        }
      #endif
      if let bucket = try configuration.bucketResults({ logger.warning("\($0)") }) {
        stores.append(bucket)
        collectors.append { bucket.statistics.metrics }
      }
      let making: any RenditionRendering
      let endMaking: @Sendable () -> Void
      if configuration.isSandboxed {
        let sandbox = try configuration.sandbox(renderer) { logger.warning("\($0)") }
        making = SandboxedRenderer(sandbox)
        collectors.append { sandbox.statistics.metrics }
        endMaking = { sandbox.shutdown() }
      } else {
        making = PipelineRenderer(renderer, in: pipeline)
        endMaking = {}
      }
      let service = RenditionService(
        pipeline: pipeline, renderer: making, stores: stores, leasing: leasing,
        configuration: configuration.service, clock: .system,
        observer: ObservedStages(tracer: tracer, isSandboxed: configuration.isSandboxed).note)
      self.signer = signer
      self.presets = presets
      renditions = service
      collectors.append { service.statistics.metrics }
      close = { [stores] deadline in
        await service.shutdown(gracePeriod: min(1, deadline.seconds))
        endMaking()
        await Self.flush(stores, seconds: deadline.seconds)
      }
      let sending = SendingBudget(limit: configuration.sendBudget ?? SendingBudget.defaultLimit)
      self.sending = sending
      collectors.append { sending.statistics.metrics }
      addRoutes = { router, renditions in
        var routes = ImageRoutes(
          service: renditions, verifier: URLVerifier(signer: signer, allowsUnsigned: configuration.allowsUnsigned),
          presets: presets, takesOnlyPresets: configuration.allowsOnlyPresets, settings: configuration.answers)
        routes.sending = sending
        routes.answered = AnsweredPaths(prefix: configuration.pathPrefix)
        routes.add(to: router, at: RouterPath(configuration.pathPrefix))
        return routes
      }
    }
  }
#endif
