#if Server
  /// Decides when spans and metrics are exported, and which spans are dropped. A value: times are parameters, in seconds.
  ///
  /// One export runs at a time. Its end must be reported before the next step is taken.
  struct ExportSchedule: Sendable {
    struct Limits: Sendable {
      /// The maximum number of spans that wait or are being sent. Further ones are dropped.
      var spans = 2048
      /// The maximum number of spans in a request.
      var batch = 512
      /// The time that a span waits for others, in seconds.
      var delay = 5.0
      /// The time between two exports of the metrics, in seconds; `nil` to export none.
      var metricsInterval: Double?
      /// The longest pause after a failure, in seconds, unless the collector asks for more.
      var longestPause = 60.0
      /// The shortest and the longest pause that a collector can ask for, in seconds.
      var requestedPauses = 1.0...300.0
    }

    enum Step {
      case sendSpans([FinishedSpan])
      case sendMetrics
      /// Nothing is due for a number of seconds, unless a span is added.
      case wait(seconds: Double)
      /// The schedule was closed, and everything was sent or dropped.
      case end
    }

    /// The outcome of an export.
    enum Outcome: Sendable, Equatable {
      /// The collector accepted it, except for some of the spans.
      case accepted(rejected: Int = 0)
      /// The collector will never accept it.
      case refused
      /// The collector may accept it later.
      case failed(retryAfter: Double?)
    }

    struct Counts: Sendable, Equatable {
      /// The number of spans that the collector accepted.
      var exported = 0
      /// The number of spans that were dropped, because too many waited or because the collector rejected them.
      var dropped = 0
      /// The number of requests to the collector that failed.
      var failures = 0
    }

    private(set) var counts = Counts()
    private let limits: Limits
    private var spans: [FinishedSpan] = []
    /// The spans of the running export.
    private var sending: [FinishedSpan] = []
    /// The time at which the oldest span has waited for long enough.
    private var spansDue = Double.infinity
    private var metricsDue: Double
    private var pauseEnd = -Double.infinity
    /// The number of failures since the last success.
    private var consecutiveFailures = 0
    private var isClosed = false

    init(_ limits: Limits, now: Double) {
      self.limits = limits
      metricsDue = limits.metricsInterval.map { now + $0 } ?? .infinity
    }

    /// The number of spans that wait or are being sent.
    var waiting: Int { spans.count + sending.count }

    /// Adds a span, or drops it.
    ///
    /// - Returns: `true` if the next step may be due earlier than before.
    mutating func add(_ span: FinishedSpan, now: Double) -> Bool {
      guard waiting < limits.spans else {
        counts.dropped += 1
        return false
      }
      spans.append(span)
      if spans.count == 1 { spansDue = now + limits.delay }
      return spans.count == 1 || spans.count == limits.batch
    }

    /// Makes everything due, and the next failure final.
    mutating func close() {
      isClosed = true
      pauseEnd = -.infinity
      if limits.metricsInterval != nil { metricsDue = -.infinity }
    }

    mutating func next(now: Double) -> Step {
      if now < pauseEnd { return .wait(seconds: pauseEnd - now) }
      if !spans.isEmpty, isClosed || spans.count >= limits.batch || now >= spansDue {
        sending = Array(spans.prefix(limits.batch))
        spans.removeFirst(sending.count)
        // What is left has come later, and waits for at most the same time again.
        spansDue = spans.isEmpty ? .infinity : now + limits.delay
        return .sendSpans(sending)
      }
      if now >= metricsDue { return .sendMetrics }
      if isClosed { return .end }
      return .wait(seconds: min(spansDue, metricsDue) - now)
    }

    /// - Parameter jitter: a random number from 0 to 1, so that servers do not retry at the same time.
    mutating func didSendSpans(_ outcome: Outcome, now: Double, jitter: Double) {
      let sent = sending
      sending = []
      note(outcome, now: now, jitter: jitter)
      switch outcome {
      case .accepted(let rejected):
        let rejected = min(max(0, rejected), sent.count)
        counts.exported += sent.count - rejected
        counts.dropped += rejected
      case .refused: counts.dropped += sent.count
      case .failed where isClosed:
        counts.dropped += sent.count + spans.count
        spans = []
      case .failed:
        spans.insert(contentsOf: sent, at: 0)
        spansDue = now
      }
    }

    mutating func didSendMetrics(_ outcome: Outcome, now: Double, jitter: Double) {
      note(outcome, now: now, jitter: jitter)
      // The next metrics contain everything that these do.
      metricsDue = isClosed ? .infinity : limits.metricsInterval.map { now + $0 } ?? .infinity
    }

    private mutating func note(_ outcome: Outcome, now: Double, jitter: Double) {
      switch outcome {
      case .accepted: consecutiveFailures = 0
      case .refused: counts.failures += 1
      case .failed(let retryAfter):
        counts.failures += 1
        if isClosed { return }
        // From half of a pause, which doubles each time, to the whole.
        let pause = min(limits.longestPause, Double(1 << min(consecutiveFailures, 10))) * (1 + jitter) / 2
        consecutiveFailures += 1
        let requested = limits.requestedPauses
        pauseEnd = now + (retryAfter.map { min(max($0, requested.lowerBound), requested.upperBound) } ?? pause)
      }
    }
  }
#endif
