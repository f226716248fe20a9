#if Server
  import Hummingbird
  import NukeServing

  extension ImageServer {
    typealias Context = BasicRequestContext

    /// Returns all routes of the server, and the handler that answers memory hits without them.
    func routing() -> (router: Router<Context>, hits: MemoryHits?) {
      let reporter = RequestReporter(
        configuration: configuration, logger: logger, metrics: RequestMetrics(metrics), statistics: statistics,
        clock: clock)
      let router = Router(context: Context.self)
      let tracing = RequestTracing(tracer)
      router.add(middleware: RequestObserver(reporter: reporter, tracing: tracing))
      OperationRoutes(configuration: configuration, state: state, registry: metrics).add(to: router)
      if configuration.servesPlayground {
        PlaygroundRoutes(configuration: configuration, parts: parts, statistics: statistics).add(to: router)
      }
      let renditions = ObservedRenditions(
        parts.renditions, metrics: metrics, statistics: statistics, tracing: tracing, clock: clock)
      let routes = parts.addRoutes(router, renditions)
      // Spans tell of each stage of the longer way.
      return (router, tracing.tracer == nil ? MemoryHits(routes, reporter: reporter) : nil)
    }
  }
#endif
