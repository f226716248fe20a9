#if Server
  import Foundation
  import Hummingbird
  import HummingbirdCore
  package import Logging
  import NIOCore
  import Nuke
  import NukeServing
  public import ServiceLifecycle
  package import Tracing

  /// An image server as a service for a `ServiceGroup`.
  ///
  /// ```swift
  /// var configuration = ImageServer.Configuration()
  /// configuration.port = 9000
  /// let server = try ImageServer(configuration, logger: logger)
  /// let group = ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// On graceful shutdown, the server accepts no more connections and finishes running requests within
  /// ``Configuration/gracePeriod``. Results are then written to the stores within 4 more seconds. If its task is
  /// canceled, the server ends at once.
  public struct ImageServer: Service {
    public let configuration: Configuration
    /// The metrics served at `/metrics`. Bootstrap swift-metrics with this registry to include the program's own
    /// metrics.
    public let metrics: PrometheusRegistry
    let logger: Logger
    let state: ServerState
    let statistics: ServerStatistics
    let dependencies: ServerDependencies
    let clock: @Sendable () -> Double
    let tracer: any Tracer
    private let onListening: @Sendable (ListeningAddress) -> Void
    private let onOperationListening: @Sendable (ListeningAddress) -> Void

    /// Creates a server with explicit dependencies.
    ///
    /// - Parameters:
    ///   - tracer: the tracer; `nil` for the one that the program was bootstrapped with.
    ///   - onListening: called with the address once the server listens.
    ///   - onOperationListening: the same for the operation port.
    package init(
      _ configuration: Configuration, dependencies: ServerDependencies,
      metrics: PrometheusRegistry = PrometheusRegistry(),
      tracer: (any Tracer)? = nil, logger: Logger,
      onOperationListening: @escaping @Sendable (ListeningAddress) -> Void = { _ in },
      onListening: @escaping @Sendable (ListeningAddress) -> Void = { _ in }
    ) {
      self.configuration = configuration
      self.metrics = metrics
      self.logger = logger
      self.tracer = tracer ?? InstrumentationSystem.tracer
      self.dependencies = dependencies
      self.onListening = onListening
      self.onOperationListening = onOperationListening
      clock = dependencies.clock
      state = ServerState(storeProblem: dependencies.storeProblem)
      statistics = ServerStatistics(clock: clock)
      if let prefix = configuration.metricsPrefix { metrics.use(prefix: prefix) }
      metrics.collect(ProcessMetrics().collect)
      metrics.collect { [.buildInfo] }
      for collector in dependencies.collectors { metrics.collect(collector) }
      for (name, help) in MetricDescriptions.all { metrics.describe(name, help) }
    }

    public func run() async throws {
      let (router, connections) = routing()
      let application = Application(
        router: router, server: try serverBuilder(connections),
        configuration: ApplicationConfiguration(
          address: place.address, serverName: nil,
          availableConnectionsDelegate: MaximumAvailableConnections(connectionLimit, logger: quietLogger)),
        onServerRunning: { channel in
          state.started()
          let listening = ListeningAddress(channel.localAddress, isTLS: configuration.tlsCertificate != nil)
          logger.info("listening on \(listening)")
          onListening(listening)
        }, logger: quietLogger)
      // Services are shut down in the reverse order, so health can be asked for until the last response is sent.
      let main = Listener(place: place, application: application)
      let listeners: [any Service] = [operation, main].compactMap(\.self)
      var group = ServiceGroupConfiguration(services: listeners, logger: quietLogger)
      group.maximumGracefulShutdownDuration = .seconds(configuration.gracePeriod)
      let services = ServiceGroup(configuration: group)
      defer { state.stopping() }
      let toldAt = Lock<Double?>(nil)
      dependencies.start()
      do {
        try await withGracefulShutdownHandler {
          try await services.run()
        } onGracefulShutdown: {
          toldAt.withLock { $0 = clock() }
          state.stopping()
          logger.info("shutting down: \(statistics.snapshot.activeRequests) requests are running")
        }
      } catch {
        await dependencies.close(.now)
        throw error
      }
      let start = toldAt.withLock { $0 } ?? clock()
      await dependencies.close(ShutdownDeadline(start: start, gracePeriod: configuration.gracePeriod, clock: clock))
    }

    /// Reports from now on that the server is not ready, and closes each connection of HTTP/1.1 after its next response.
    /// Returns after ``Configuration/drainDelay``.
    package func drain() async {
      state.stopping()
      guard configuration.drainDelay > 0 else { return }
      logger.info("no longer ready; shutting down in \(SettingText.write(seconds: configuration.drainDelay))")
      try? await Task.sleep(for: .seconds(configuration.drainDelay))
    }

    private var operationRoutes: OperationRoutes { OperationRoutes(state: state, registry: metrics) }

    /// The listener of the operation port; `nil` if there is none.
    private var operation: Listener? {
      guard let port = configuration.operationPort else { return nil }
      let router = Router(context: Context.self)
      operationRoutes.add(to: router)
      let place = ListeningPlace.port(
        port, host: ListeningAddress.host(configuration.operationHost), prefix: "operation-")
      let application = Application(
        router: router, configuration: ApplicationConfiguration(address: place.address, serverName: nil),
        onServerRunning: { channel in
          let listening = ListeningAddress(channel.localAddress, isTLS: false)
          logger.info("serving health and metrics on \(listening)")
          onOperationListening(listening)
        }, logger: quietLogger)
      return Listener(place: place, application: application)
    }

    private var connectionLimit: Int {
      configuration.connectionLimit ?? ProcessMetrics().openFileLimit.map { Int($0 / 2) } ?? .max
    }

    private var place: ListeningPlace {
      configuration.socket.map { .socket(path: $0) }
        ?? .port(configuration.port, host: ListeningAddress.host(configuration.host))
    }

    /// The logger for Hummingbird. It logs less, because the server logs the same events itself.
    private var quietLogger: Logger {
      var logger = logger
      if logger.logLevel < .notice, logger.logLevel > .debug { logger.logLevel = .notice }
      return logger
    }
  }

  extension ImageServer {
    typealias Context = BasicRequestContext

    /// Returns the router with all routes of the server, and the objects that its connections use. With these, a
    /// connection responds to memory hits without the router.
    func routing() -> (router: Router<Context>, connections: ConnectionDependencies) {
      let reporter = RequestReporter(
        configuration: configuration, logger: logger, metrics: RequestMetrics(metrics), statistics: statistics,
        clock: clock)
      let router = Router(context: Context.self)
      let tracing = RequestTracing(tracer)
      router.add(middleware: RequestObserver(reporter: reporter, tracing: tracing))
      let (prefix, hasOperationPort) = (configuration.pathPrefix, configuration.operationPort != nil)
      if !hasOperationPort {
        operationRoutes.add(to: router, health: configuration.servesHealth, metrics: configuration.servesMetrics)
      }
      // imgproxy serves its health check below the prefix, and on the main port even if metrics have another one.
      if configuration.usesImgproxyEnvironment, configuration.servesHealth, hasOperationPort || !prefix.isEmpty {
        operationRoutes.add(to: router, below: prefix, metrics: false)
      }
      if let path = configuration.healthRoute { operationRoutes.add(to: router, healthAt: path) }
      if configuration.servesPlayground {
        PlaygroundRoutes(configuration: configuration, dependencies: dependencies, statistics: statistics)
          .add(to: router)
      }
      let renditions = ObservedRenditions(
        dependencies.renditions, metrics: metrics, statistics: statistics, tracing: tracing, clock: clock)
      let routes = dependencies.addRoutes(router, renditions)
      if let routes { router.add(middleware: UnknownMethods(routes: routes, prefix: prefix)) }
      let connections = ConnectionDependencies(
        hits: MemoryHits(routes, reporter: reporter, tracing: tracing), sending: dependencies.sending, state: state,
        reporter: reporter)
      return (router, connections)
    }
  }
#endif
