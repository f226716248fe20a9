#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore

  /// `/health`, `/ready` and `/metrics`.
  struct OperationRoutes {
    let configuration: ImageServer.Configuration
    let state: ServerState
    let registry: PrometheusRegistry

    func add(to router: Router<some RequestContext>) {
      if configuration.servesHealth {
        router.get("/health") { _, _ in Self.text(.ok, "alive\n") }
        router.get("/ready") { _, _ in
          if let obstacle = state.obstacle { return Self.text(.serviceUnavailable, obstacle + "\n") }
          return Self.text(.ok, "ready\n")
        }
      }
      if configuration.servesMetrics {
        router.get("/metrics") { _, _ in Self.text(.ok, registry.text(), type: PrometheusText.contentType) }
      }
    }

    private static func text(
      _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> Response {
      Response(
        status: status, headers: [.contentType: type, .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
