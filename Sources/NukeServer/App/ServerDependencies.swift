#if Server
  import Dispatch
  import Hummingbird
  public import Logging
  import Nuke
  import NukeServing
  public import Tracing

  /// The objects that a server is assembled from.
  package struct ServerDependencies: Sendable {
    /// Answers requests for images.
    package var renditions: any RenditionMaking
    /// Adds the routes for images, which get renditions from the given service.
    ///
    /// - Returns: the routes whose memory hits can be answered without the router; `nil` if there are none.
    var addRoutes: @Sendable (Router<ImageServer.Context>, any RenditionMaking) -> ImageRoutes?
    /// Reads and verifies URLs.
    var urls = ResolvedURLs(URLVerifier(signer: nil), URLRules())
    /// Uses the keys, the presets, the watermark and the qualities of another configuration from now on.
    var reload: @Sendable (ImageServer.Configuration) throws(ConfigurationError) -> Void = { _ in }
    /// The memory budget for responses until clients have received them.
    var sending = SendingBudget()
    /// Metrics that are read when `/metrics` is requested.
    var collectors: [@Sendable () -> [CollectedMetric]] = []
    /// A monotonic clock, in seconds.
    var clock: @Sendable () -> Double = { Double(ServiceClock.system.uptime()) / 1e9 }
    /// Returns the reason why a required service is unavailable; `nil` if there is none.
    var storeProblem: @Sendable () -> String? = { nil }
    /// Called when the server starts to run.
    var start: @Sendable () -> Void = {}
    /// Releases all resources, after the last request has ended or was canceled.
    var close: @Sendable (ShutdownDeadline) async -> Void = { _ in }
  }

  extension ImageServer {
    /// Creates a server from a configuration.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - metrics: the registry for the server's metrics.
    ///   - tracer: receives a span for each request and each of its stages. Its trace context is sent to sources. The
    ///     default is the export to ``Configuration/otlpEndpoint``. Without an endpoint, it is the tracer that the program
    ///     was bootstrapped with.
    ///   - logger: receives a line for each request, and warnings.
    /// - Throws: ``ConfigurationError`` for an invalid setting, such as a folder that does not exist.
    public init(
      _ configuration: Configuration, metrics: PrometheusRegistry = PrometheusRegistry(),
      tracer: (any Tracer)? = nil, logger: Logger
    ) throws(ConfigurationError) {
      let telemetry = configuration.telemetry(metrics: metrics, logger: logger)
      let tracer = tracer ?? telemetry?.tracer ?? InstrumentationSystem.tracer
      var dependencies = try ServerDependencies(configuration, metrics: metrics, tracer: tracer, logger: logger)
      if let telemetry { dependencies.export(by: telemetry.exporter) }
      self.init(configuration, dependencies: dependencies, metrics: metrics, tracer: tracer, logger: logger)
    }
  }

  extension ServerDependencies {
    /// Creates the dependencies of a real server. The pipeline loads sources, the service limits concurrent work, the
    /// renderer renders files, the stores cache them, and the routes send them.
    init(
      _ configuration: ImageServer.Configuration, metrics: PrometheusRegistry,
      tracer: any Tracer = InstrumentationSystem.tracer, logger: Logger
    ) throws(ConfigurationError) {
      var urlRules = try configuration.urlRules
      urlRules.presets.log(to: logger)
      let role = try configuration.s3Role
      let pipeline = try ImagePipeline(
        configuration: configuration.pipeline(metrics: metrics, tracer: tracer, role: role))
      var fallback: FallbackImage?
      if let loader = pipeline.configuration.dataLoader as? SourceLoader {
        urlRules.sources = loader.rules
        urlRules.watermark = try configuration.watermarkURL(loader.rules)
        fallback = try configuration.fallback(loader.rules)
        let budget = loader.budget
        collectors.append { budget.statistics.metrics }
      }
      let renderer = try configuration.renderer
      let results = try ResultStores(configuration, role: role, metrics: metrics, logger: logger)
      collectors += results.collectors
      storeProblem = results.storeProblem
      let isSandboxed = configuration.isSandboxed ?? false
      let rendering = ServerRendering(pipeline, isSandboxed: isSandboxed, logger: logger)
      collectors.append { rendering.metrics }
      let stages = ObservedStages(tracer: tracer, isSandboxed: isSandboxed)
      let service = RenditionService(
        pipeline: pipeline, renderer: try rendering.using(renderer, configuration), stores: results.caches,
        leasing: results.leasing, purges: configuration.purgeSigner == nil ? nil : results.purges,
        configuration: configuration.service, clock: .system, observer: stages.note
      ) { [systems = results.remoteSystems] index, seconds in
        if let system = systems[index] { stages.noteLookUp(in: system, seconds) }
      }
      let urls = ResolvedURLs(configuration.verifier, urlRules)
      self.urls = urls
      reload = { [urlRules] configuration throws(ConfigurationError) in
        var rules = try configuration.urlRules
        rules.presets.log(to: logger)
        // Which sources are loaded is decided at start.
        rules.sources = urlRules.sources
        rules.watermark = try urlRules.sources.flatMap { sources throws(ConfigurationError) in
          try configuration.watermarkURL(sources)
        }
        let renderer = try configuration.renderer
        if renderer.identifier != service.rendererIdentifier {
          service.use(try rendering.using(renderer, configuration))
        }
        urls.use(configuration.verifier, rules)
      }
      renditions = service
      collectors.append { service.statistics.metrics }
      close = { [flushes = results.flushes] deadline in
        await service.shutdown(gracePeriod: min(1, deadline.seconds))
        rendering.shutdown()
        await Self.run(flushes, seconds: deadline.seconds)
      }
      let sending = SendingBudget(limit: configuration.sendBudget)
      self.sending = sending
      collectors.append { sending.statistics.metrics }
      let responseSettings = configuration.responseSettings(try configuration.passthrough)
      addRoutes = { [fallback] router, renditions in
        var routes = ImageRoutes(
          service: renditions, verifier: URLVerifier(signer: nil), settings: responseSettings,
          tellsFacts: configuration.servesInfo, fallback: fallback)
        routes.sending = sending
        routes.urls = urls
        routes.purging = configuration.purgeSigner == nil ? nil : service
        routes.answeredPrefix = configuration.pathPrefix
        routes.add(to: router, at: RouterPath(configuration.pathPrefix))
        return routes
      }
    }

    /// Flushes the pending writes of the stores, for a limited number of seconds, so that a shutdown loses no results.
    private static func run(_ flushes: [@Sendable () -> Void], seconds: Double) async {
      await withCheckedContinuation { continuation in
        let queue = DispatchQueue(label: "nuke.serve.flushing", attributes: .concurrent)
        queue.async {
          let group = DispatchGroup()
          for flush in flushes { queue.async(group: group, execute: flush) }
          _ = group.wait(timeout: .now() + seconds)
          continuation.resume()
        }
      }
    }
  }

  extension ImagePresets {
    fileprivate func log(to logger: Logger) {
      for repetition in repetitions { logger.warning("\(repetition)") }
    }
  }
#endif
