#if Server
  import Foundation
  import FoundationNetworking
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import NukeServing
  import NukeTesting
  import ServiceLifecycle
  import Testing
  import Tracing

  @testable import NukeServer

  /// A server on loopback whose images are made up, and which a test stops.
  struct RunningServer: Sendable {
    struct ServerResponse: Sendable {
      var status: Int
      var fields: [String: String]
      var data: Data
      var text: String { String(decoding: data, as: UTF8.self) }
    }

    let server: ImageServer
    let group: ServiceGroup
    let lines: LogLines
    let logger: Logger
    let address: ListeningAddress
    private let operationAddresses: AsyncStream<ListeningAddress>
    private let task: Task<Void, any Error>

    /// The operation port, once the server listens on it. May be asked for once.
    var operationPort: Int { get async { await operationAddresses.first { _ in true }?.port ?? 0 } }

    var port: Int { address.port ?? 0 }

    /// - Parameters:
    ///   - gate: holds all images back.
    ///   - error: is thrown in place of images.
    init(
      _ configuration: ImageServer.Configuration = .init(), gate: Gate? = nil, error: ServingError? = nil
    ) async throws {
      try await self.init(configuration, dependencies: .fake(gate: gate, error: error))
    }

    /// - Parameter metrics: the registry that the dependencies use.
    init(
      _ configuration: ImageServer.Configuration, dependencies: ServerDependencies,
      metrics: PrometheusRegistry = PrometheusRegistry(), tracer: (any Tracer)? = nil
    ) async throws {
      var configuration = configuration
      configuration.port = 0
      let lines = LogLines()
      self.lines = lines
      logger = Logger(label: "test") { ServerLogHandler(label: $0, format: .json, level: .info, write: lines.write) }
      let (addresses, continuation) = AsyncStream.makeStream(of: ListeningAddress.self)
      let (operationAddresses, operationContinuation) = AsyncStream.makeStream(of: ListeningAddress.self)
      self.operationAddresses = operationAddresses
      let server = ImageServer(
        configuration, dependencies: dependencies, metrics: metrics, tracer: tracer, logger: logger,
        onOperationListening: { operationContinuation.yield($0) }
      ) {
        continuation.yield($0)
      }
      self.server = server
      var quiet = logger
      quiet.logLevel = .critical
      let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: quiet))
      self.group = group
      task = Task {
        defer { continuation.finish() }
        try await group.run()
      }
      var first: ListeningAddress?
      for await address in addresses {
        first = address
        break
      }
      guard let first else {
        try await task.value
        throw CancellationError()
      }
      address = first
    }

    /// A server of all that its configuration says, with a log that nobody reads.
    init(assembling configuration: ImageServer.Configuration) async throws {
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let metrics = PrometheusRegistry()
      let dependencies = try ServerDependencies(configuration, metrics: metrics, logger: logger)
      try await self.init(configuration, dependencies: dependencies, metrics: metrics)
    }

    /// - Parameter port: the operation port; `nil` for the main one.
    func get(_ target: String, fields: [String: String] = [:], port: Int? = nil) async throws -> ServerResponse {
      var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port ?? self.port)\(target)")!)
      for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      let (data, response) = try await session.data(for: request)
      let http = response as! HTTPURLResponse
      var all: [String: String] = [:]
      for (name, value) in http.allHeaderFields { all["\(name)"] = "\(value)" }
      return ServerResponse(status: http.statusCode, fields: all, data: data)
    }

    /// The same over a socket, for paths that are sent as they are written here.
    func send(_ target: String, method: String = "GET") async throws -> RawResponse {
      let client = try RawClient(port: port)
      try await client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      return try #require(RawResponse(try await client.receiveBytes()))
    }

    func stop() async throws {
      await group.triggerGracefulShutdown()
      try await ended()
    }

    func ended() async throws { try await task.value }
  }

  extension ImageServer.Configuration {
    static var withMetrics: Self {
      var configuration = Self()
      configuration.servesMetrics = true
      return configuration
    }

    /// Unsigned images from servers of this machine, with what took how long.
    static var ofLoopback: Self {
      var configuration = Self()
      configuration.allowsUnsigned = true
      configuration.allowedPrivateAddresses = ["127.0.0.0/8"]
      configuration.sendsTiming = true
      (configuration.servesInfo, configuration.servesMetrics) = (true, true)
      return configuration
    }
  }

  extension ServerDependencies {
    /// Images of three bytes, at the paths of a real server, whatever their signature.
    static func fake(gate: Gate? = nil, error: ServingError? = nil) -> ServerDependencies {
      ServerDependencies(renditions: SameRendition(gate: gate, error: error)) { router, renditions in
        let routes = ImageRoutes(service: renditions, verifier: URLVerifier(signer: nil, allowsUnsigned: true))
        routes.add(to: router)
        return routes
      }
    }
  }

  /// Makes the same image of everything.
  private struct SameRendition: RenditionMaking {
    let gate: Gate?
    let error: ServingError?

    func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      await gate?.wait()
      if Task.isCancelled { throw .cancelled }
      if let error { throw error }
      return Rendition(data: Data([1, 2, 3]), contentType: "image/png", entityTag: "\"x\"")
    }
  }
#endif
