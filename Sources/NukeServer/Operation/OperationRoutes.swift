#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import NukeBase

  /// The routes `/health`, `/ready` and `/metrics`.
  struct OperationRoutes {
    let state: ServerState
    let registry: PrometheusRegistry

    /// - Parameter prefix: the beginning of the paths of health checks.
    func add(
      to router: Router<some RequestContext>, below prefix: String = "", health: Bool = true, metrics: Bool = true
    ) {
      if health {
        add(to: router, healthAt: prefix + "/health")
        add(RouterPath(prefix + "/ready"), to: router) {
          if let reason = state.unreadyReason { return Self.text(.serviceUnavailable, reason + "\n") }
          return Self.text(.ok, "ready\n")
        }
      }
      if metrics {
        add("/metrics", to: router) { Self.text(.ok, registry.text(), type: PrometheusText.contentType) }
      }
    }

    /// Adds a health check at another path.
    func add(to router: Router<some RequestContext>, healthAt path: String) {
      add(RouterPath(path), to: router) { Self.text(.ok, "alive\n") }
    }

    private func add(
      _ path: RouterPath, to router: Router<some RequestContext>, _ response: @escaping @Sendable () -> Response
    ) {
      router.getAndHead(path) { _, _ in response() }
    }

    private static func text(
      _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
      Response(
        status: status, headers: [.contentType: type, .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }

  /// The lifecycle phase of a server, and the reason why it is not ready.
  final class ServerState: Sendable {
    enum Phase: String, Sendable { case starting, serving, stopping }

    private let current = Lock(Phase.starting)
    /// Returns the problem of a required store; `nil` if there is none.
    private let storeProblem: @Sendable () -> String?

    init(storeProblem: @escaping @Sendable () -> String? = { nil }) {
      self.storeProblem = storeProblem
    }

    var phase: Phase { current.withLock { $0 } }

    /// Marks the server as listening, unless it is already shutting down.
    func started() { current.withLock { if $0 == .starting { $0 = .serving } } }

    func stopping() { current.withLock { $0 = .stopping } }

    /// The reason why the server is not ready; `nil` if it is ready.
    var unreadyReason: String? {
      switch phase {
      case .starting: "starting"
      case .stopping: "stopping"
      case .serving: storeProblem()
      }
    }
  }
#endif
