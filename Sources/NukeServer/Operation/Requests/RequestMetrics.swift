#if Server
  import CoreMetrics
  import HTTPTypes
  import NukeBase

  /// The counters and timers of requests.
  final class RequestMetrics: Sendable {
    private let factory: any MetricsFactory
    private let active: Meter
    private let bytes: Counter
    private let durations: [RequestRoute: CoreMetrics.Timer]
    private let starts: [RequestRoute: CoreMetrics.Timer]
    private let counters = Lock<[Kind: Counter]>([:])

    private struct Kind: Hashable {
      var route: RequestRoute
      var method: String
      var status: Int
    }

    init(_ factory: any MetricsFactory) {
      self.factory = factory
      active = Meter(label: "nuke_http_requests_active", factory: factory)
      bytes = Counter(label: "nuke_http_response_bytes_total", factory: factory)
      var (durations, starts): ([RequestRoute: CoreMetrics.Timer], [RequestRoute: CoreMetrics.Timer]) = ([:], [:])
      for route in RequestRoute.allCases {
        let dimensions = [("route", route.rawValue)]
        durations[route] = Timer(
          label: "nuke_http_request_duration_seconds", dimensions: dimensions, factory: factory)
        starts[route] = Timer(
          label: "nuke_http_response_start_seconds", dimensions: dimensions, factory: factory)
      }
      (self.durations, self.starts) = (durations, starts)
    }

    /// - Parameter seconds: the time from the request until all of the response was written.
    func sent(_ route: RequestRoute, seconds: Double) { durations[route]?.recordSeconds(seconds) }

    func began() { active.increment() }

    func ended(_ route: RequestRoute, _ method: HTTPRequest.Method, status: Int, bytes count: Int?, seconds: Double) {
      active.decrement()
      if let count { bytes.increment(by: count) }
      starts[route]?.recordSeconds(seconds)
      // Clients can invent methods, so unknown ones are counted together.
      let known: [HTTPRequest.Method] = [.get, .head, .options, .post, .put, .delete]
      let kind = Kind(route: route, method: known.contains(method) ? method.rawValue : "other", status: status)
      let counter = counters.withLock { counters in
        if let counter = counters[kind] { return counter }
        let counter = Counter(
          label: "nuke_http_requests_total",
          dimensions: [("route", route.rawValue), ("method", kind.method), ("status", String(status))],
          factory: factory)
        counters[kind] = counter
        return counter
      }
      counter.increment()
    }
  }
#endif
