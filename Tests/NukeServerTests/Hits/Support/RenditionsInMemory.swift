#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeCodecs
  import NukeImaging
  import NukeServing
  import NukeTesting
  import Tracing

  @testable import NukeServer

  /// Images that tell what they were made by. They are in memory or not, as a test says, and it is written down who was
  /// given one.
  final class RenditionsInMemory: MemoryRenditions {
    /// "made", or "routes" and "handler" for who found it in memory.
    let log = CallLog()
    /// Holds back what is made.
    let gate = Gate(isOpen: true)
    private let kept = Lock(true)

    /// `true` if all images are in memory, and fresh.
    var isKept: Bool {
      get { kept.withLock { $0 } }
      set { kept.withLock { $0 = newValue } }
    }

    func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition? {
      let image = Self.image(of: request, .memory)
      guard isKept, image.data.count <= byteLimit else { return nil }
      // The handler takes no more than it can send at once.
      log.append(byteLimit == .max ? "routes" : "handler")
      return image
    }

    func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
      log.append("made")
      await gate.wait()
      return Self.image(of: request, .made)
    }

    private static func image(of request: RenditionRequest, _ origin: Rendition.Origin) -> Rendition {
      let options = request.options
      let text = "<\(options.width)>" + (options.dpr == 1 ? "" : "x\(options.dpr)") + (request.format?.rawValue ?? "")
      return Rendition(
        data: Data(text.utf8), contentType: "image/webp", entityTag: "\"\(text)\"",
        lastModified: ImageRoutes.now - 1000, origin: origin)
    }
  }

  extension ImageRoutes {
    /// Routes whose images in memory are answered at once, or not.
    static func images(
      _ renditions: any RenditionMaking, isShort: Bool = true, settings: AnswerSettings = AnswerSettings(),
      now: @escaping @Sendable () -> Int = { ImageRoutes.now }
    ) -> ImageRoutes {
      var routes = ImageRoutes(
        service: renditions, verifier: URLVerifier(signer: signer), settings: settings, now: now)
      if isShort { routes.answeredPrefix = "" }
      return routes
    }
  }

  extension ServerDependencies {
    /// A server of such routes.
    static func images(
      _ renditions: RenditionsInMemory, isShort: Bool = true, settings: AnswerSettings = AnswerSettings(),
      now: @escaping @Sendable () -> Int = { ImageRoutes.now }
    ) -> ServerDependencies {
      ServerDependencies(renditions: renditions) { router, observed in
        let routes = ImageRoutes.images(observed, isShort: isShort, settings: settings, now: now)
        routes.add(to: router)
        return routes
      }
    }
  }

  extension MemoryHits {
    /// Hits of which nobody is told.
    static func silent(_ routes: ImageRoutes) -> MemoryHits? {
      MemoryHits(
        routes,
        reporter: RequestReporter(
          configuration: ImageServer.Configuration(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
          metrics: RequestMetrics(PrometheusRegistry()), statistics: ServerStatistics { 0 }, clock: { 0 }),
        tracing: RequestTracing(NoOpTracer()))
    }
  }

  extension RawClient {
    /// What comes back to requests, of which the last has the connection closed.
    static func exchange(_ port: Int, _ requests: String...) async throws -> String {
      let client = try RawClient(port: port)
      try await client.send(requests.joined())
      return try await client.receive()
    }

    /// The text of a request.
    static func request(_ path: String, method: String = "GET", _ fields: [String] = []) -> String {
      "\(method) \(path) HTTP/1.1\r\n" + (["Host: localhost"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }
  }
#endif
