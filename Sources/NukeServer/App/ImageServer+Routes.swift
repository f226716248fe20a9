#if Server
  import Hummingbird
  import NukeServing

  extension ImageServer {
    typealias Context = BasicRequestContext

    /// All that the server answers.
    var router: Router<Context> {
      let router = Router(context: Context.self)
      router.add(
        middleware: RequestObserver(
          configuration: configuration, logger: logger, metrics: RequestMetrics(metrics), statistics: statistics,
          tracer: tracer, clock: clock))
      OperationRoutes(configuration: configuration, state: state, registry: metrics).add(to: router)
      if configuration.servesPlayground {
        PlaygroundRoutes(configuration: configuration, parts: parts, statistics: statistics).add(to: router)
      }
      if configuration.allowsOnlyPresets { router.add(middleware: OnlyPresets(prefix: configuration.pathPrefix)) }
      let renditions = ObservedRenditions(
        parts.renditions, metrics: metrics, statistics: statistics, tracer: tracer, clock: clock)
      parts.addRoutes(router, renditions)
      return router
    }
  }
#endif
