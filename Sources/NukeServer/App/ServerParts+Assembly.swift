#if Server
  import Hummingbird
  public import Logging
  import Nuke
  import NukeServing

  extension ImageServer {
    /// A server as its configuration says.
    ///
    /// - Throws: ``ConfigurationError`` for what cannot be set up: a folder that is missing, a preset that is none.
    public init(
      _ configuration: Configuration, metrics: PrometheusRegistry = PrometheusRegistry(), logger: Logger
    ) throws(ConfigurationError) {
      self.init(
        configuration, parts: try ServerParts(configuration, metrics: metrics, logger: logger), metrics: metrics,
        logger: logger)
    }
  }

  extension ServerParts {
    /// The real ones: sources are loaded by the pipeline, made into pictures by the renderer when the service has room for
    /// it, kept in the stores, and sent by the routes.
    init(
      _ configuration: ImageServer.Configuration, metrics: PrometheusRegistry, logger: Logger
    ) throws(ConfigurationError) {
      let presets = try configuration.imagePresets
      let signer = configuration.signer
      let pipeline = try ImagePipeline(
        configuration: configuration.pipeline(metrics: metrics), delegate: StageTimes())
      let renderer = try configuration.renderer
      var stores = try configuration.resultStores
      var leasing: (any RenditionLeasing)?
      #if Redis
        if let url = configuration.redisURL {
          let shared = try SharedStore(url: url, logger: logger)
          stores.append(shared.cache)
          leasing = shared
          collectors.append(shared.metrics)
          if configuration.requiresRedis { complaint = { shared.complaint } }
        }
      #endif
      let service = RenditionService(
        pipeline: pipeline, renderer: renderer, stores: stores, leasing: leasing,
        configuration: configuration.service)
      self.signer = signer
      renditions = service
      collectors.append { service.statistics.metrics }
      close = { await service.shutdown(gracePeriod: 1) }
      addRoutes = { router, renditions in
        let routes = ImageRoutes(
          service: renditions, verifier: URLVerifier(signer: signer, allowsUnsigned: configuration.allowsUnsigned),
          presets: presets, settings: configuration.answers)
        routes.add(to: router, at: RouterPath(configuration.pathPrefix))
      }
    }
  }
#endif
