#if Server
  import Dispatch
  import NukeBase
  import Tracing

  /// Exports finished spans, and the metrics of a registry, on its own thread.
  ///
  /// Spans wait in a bounded queue, so that a slow or unreachable collector never delays a request.
  final class TelemetryExporter: Sendable {
    private struct State {
      var schedule: ExportSchedule
      /// `true` if the thread must take the next step at once.
      var isWoken = false
      var isRunning = false
      var reported: Set<Report> = []
    }

    /// What is logged once: failures until the next success, and drops in all.
    private enum Report { case failure, drop }

    private let client: OTLPClient
    private let resource: OTLPMessage.Resource
    private let registry: PrometheusRegistry
    private let state: Lock<State>
    private let signal = Signal()
    private let thread = DispatchGroup()
    private let clock: @Sendable () -> Double
    private let report: @Sendable (String) -> Void
    /// The time at which the counters were 0.
    private let start = DefaultTracerClock.now.nanosecondsSinceEpoch

    /// - Parameters:
    ///   - resource: the attributes of this process.
    ///   - registry: the metrics to export.
    ///   - clock: a monotonic clock, in seconds.
    ///   - report: receives sentences for the operator.
    init(
      _ client: OTLPClient, resource: [String: String], registry: PrometheusRegistry,
      limits: ExportSchedule.Limits = ExportSchedule.Limits(),
      clock: @escaping @Sendable () -> Double = { Double(MonotonicClock.now) / 1e9 },
      report: @escaping @Sendable (String) -> Void
    ) {
      self.client = client
      self.resource = OTLPMessage.Resource(resource)
      self.registry = registry
      self.clock = clock
      self.report = report
      state = Lock(State(schedule: ExportSchedule(limits, now: clock())))
    }

    /// Adds a span to the queue, or drops it if the queue is full.
    func add(_ span: FinishedSpan) {
      let now = clock()
      let (isDue, isFirstDrop) = state.withLock { state in
        let dropped = state.schedule.counts.dropped
        let isDue = state.schedule.add(span, now: now)
        if isDue { state.isWoken = true }
        let isDrop = state.schedule.counts.dropped > dropped
        return (isDue, isDrop && state.reported.insert(.drop).inserted)
      }
      if isDue { signal.wakeOne() }
      if isFirstDrop {
        report("Spans are dropped, because too many wait for the collector; see nuke_telemetry_spans_dropped_total.")
      }
    }

    /// Starts the thread.
    func begin() {
      let isFirst = state.withLock { !exchange(&$0.isRunning, with: true) }
      guard isFirst else { return }
      thread.enter()
      let hasThread = BackgroundThread.start(name: "nuke.otlp") { [self] in
        run()
        thread.leave()
      }
      if !hasThread {
        thread.leave()
        report("Nothing is exported to the collector: the system allows no more threads.")
      }
    }

    /// Exports what waits, and ends the thread. Returns at the latest after a number of seconds, when the rest is
    /// dropped.
    func end(seconds: Double) async {
      state.withLock { state in
        state.schedule.close()
        state.isWoken = true
      }
      signal.wakeOne()
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "nuke.otlp.ending").async { [self] in
          if thread.wait(timeout: .now() + seconds) == .timedOut { client.cancel() }
          continuation.resume()
        }
      }
    }

    /// The metrics of the export.
    var metrics: [CollectedMetric] {
      let (counts, waiting) = state.withLock { ($0.schedule.counts, $0.schedule.waiting) }
      return CollectedMetric.counters(
        "nuke_telemetry_",
        [
          ("spans_exported", "Spans that the collector accepted.", counts.exported),
          ("spans_dropped", "Spans dropped or rejected by the collector.", counts.dropped),
          ("export_failures", "Requests to the collector that failed.", counts.failures),
        ]) + CollectedMetric.gauges("nuke_telemetry_", [("spans_waiting", "Spans waiting for the export.", waiting)])
    }

    // MARK: Thread

    /// The longest time without a look at the schedule, in seconds.
    private static let longestWait = 3600.0

    private func run() {
      while true {
        let now = clock()
        let step = state.withLock { state in
          state.isWoken = false
          return state.schedule.next(now: now)
        }
        switch step {
        case .sendSpans(let spans):
          let reply = client.send(OTLPMessage.Traces(spans, of: resource), to: "v1/traces")
          note(reply) { $0.didSendSpans(reply.outcome, now: $1, jitter: $2) }
        case .sendMetrics:
          let now = DefaultTracerClock.now.nanosecondsSinceEpoch
          let message = OTLPMessage.Metrics(registry.metrics, of: resource, start: start, now: now)
          let reply = client.send(message, to: "v1/metrics")
          note(reply) { $0.didSendMetrics(reply.outcome, now: $1, jitter: $2) }
        case .wait(let seconds):
          state.withLock(waitingFor: signal, seconds: min(seconds, Self.longestWait)) { state, awakening in
            state.isWoken || awakening == .timedOut ? () : nil
          }
        case .end: return
        }
      }
    }

    private func note(_ reply: OTLPClient.Reply, _ body: (inout ExportSchedule, Double, Double) -> Void) {
      let (now, jitter) = (clock(), Double.random(in: 0...1))
      let isNew = state.withLock { state in
        body(&state.schedule, now, jitter)
        guard reply.problem != nil else {
          state.reported.remove(.failure)
          return false
        }
        return state.reported.insert(.failure).inserted
      }
      if isNew, let problem = reply.problem { report("Traces and metrics are not exported: \(problem)") }
    }
  }
#endif
