#if Server
  import Foundation
  import Hummingbird
  import HummingbirdCore
  package import Logging
  import NIOCore
  import Nuke
  import NukeImaging
  import NukeServing
  public import ServiceLifecycle
  package import Tracing

  /// A server of images, as a service: it listens, answers, and ends when its group does.
  ///
  /// ```swift
  /// var configuration = ImageServer.Configuration()
  /// configuration.port = 9000
  /// let server = try ImageServer(configuration, logger: logger)
  /// let group = ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// Told to shut down gracefully, it takes no more connections and finishes what runs, for as long as
  /// ``Configuration/gracePeriod`` allows; what was made is written to the stores then, within 4 seconds more.
  /// Canceled, it ends at once.
  public struct ImageServer: Service {
    public let configuration: Configuration
    /// Figures of the server, for `/metrics`. Bootstrap swift-metrics with it to have the program's own there too.
    public let metrics: PrometheusRegistry
    let logger: Logger
    let state: ServerState
    let statistics: ServerStatistics
    let parts: ServerParts
    let clock: @Sendable () -> Double
    let tracer: any Tracer
    private let onListening: @Sendable (ListeningAddress) -> Void

    /// A server of parts that are there.
    ///
    /// - Parameters:
    ///   - tracer: `nil` for the one that the program was bootstrapped with.
    ///   - onListening: is called once the server listens, with where it does.
    package init(
      _ configuration: Configuration, parts: ServerParts, metrics: PrometheusRegistry = PrometheusRegistry(),
      tracer: (any Tracer)? = nil, logger: Logger,
      onListening: @escaping @Sendable (ListeningAddress) -> Void = { _ in }
    ) {
      self.configuration = configuration
      self.metrics = metrics
      self.logger = logger
      self.tracer = tracer ?? InstrumentationSystem.tracer
      self.parts = parts
      self.onListening = onListening
      clock = parts.clock
      state = ServerState(complaint: parts.complaint)
      statistics = ServerStatistics(clock: clock)
      metrics.collect(ProcessMetrics().collect)
      for collector in parts.collectors { metrics.collect(collector) }
      MetricDescriptions.add(to: metrics)
    }

    public func run() async throws {
      let (router, hits) = routing()
      let application = Application(
        router: router, server: try serverBuilder(hits),
        configuration: ApplicationConfiguration(
          address: address, serverName: nil,
          availableConnectionsDelegate: MaximumAvailableConnections(connectionLimit, logger: quietLogger)),
        onServerRunning: { channel in
          state.started()
          let listening = ListeningAddress(channel.localAddress, isTLS: configuration.tlsCertificate != nil)
          logger.info("listening on \(listening)")
          onListening(listening)
        }, logger: quietLogger)
      var group = ServiceGroupConfiguration(services: [application], logger: quietLogger)
      group.maximumGracefulShutdownDuration = .seconds(configuration.gracePeriod)
      let services = ServiceGroup(configuration: group)
      defer { state.stopping() }
      let toldAt = Lock<Double?>(nil)
      do {
        try await withGracefulShutdownHandler {
          try await services.run()
        } onGracefulShutdown: {
          toldAt.withLock { $0 = clock() }
          state.stopping()
          logger.info("shutting down: \(statistics.snapshot.activeRequests) requests are running")
        }
      } catch {
        await parts.close(.now)
        throw error
      }
      let start = toldAt.withLock { $0 } ?? clock()
      await parts.close(ShutdownDeadline(start: start, gracePeriod: configuration.gracePeriod, clock: clock))
    }

    private var connectionLimit: Int {
      configuration.connectionLimit ?? ProcessMetrics().openFileLimit.map { Int($0 / 2) } ?? .max
    }

    private var address: BindAddress {
      configuration.socket.map { .unixDomainSocket(path: $0) }
        ?? .hostname(configuration.host, port: configuration.port)
    }

    /// For Hummingbird, whose lines tell what ours do.
    private var quietLogger: Logger {
      var logger = logger
      if logger.logLevel < .notice, logger.logLevel > .debug { logger.logLevel = .notice }
      return logger
    }
  }

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

  /// The address a server listens on.
  package struct ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    /// The real port, also where any was asked for; `nil` on a socket.
    package let port: Int?
    package let description: String

    init(_ address: SocketAddress?, isTLS: Bool) {
      port = address?.port
      let scheme = isTLS ? "https" : "http"
      if let host = address?.ipAddress, let port = address?.port {
        description = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
      } else {
        description = "unix:\(address?.pathname ?? "")"
      }
    }
  }
#endif
