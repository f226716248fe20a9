#if Server
  import Testing

  @testable import NukeServer

  @Suite("When spans and metrics are exported")
  struct ExportScheduleTests {
    private static let limits = {
      var limits = ExportSchedule.Limits()
      (limits.spans, limits.batch, limits.delay) = (5, 3, 10)
      return limits
    }()

    private var schedule = ExportSchedule(limits, now: 0)

    /// The next step, in words.
    private mutating func next(_ now: Double) -> String {
      switch schedule.next(now: now) {
      case .sendSpans(let spans): "spans " + spans.map(\.name).joined()
      case .sendMetrics: "metrics"
      case .wait(let seconds): "wait \(seconds)"
      case .end: "end"
      }
    }

    private mutating func add(_ names: String, _ now: Double = 0) -> [Bool] {
      names.map { schedule.add(.test(String($0)), now: now) }
    }

    @Test("A batch is sent when it is full, and other spans when the first has waited")
    mutating func batches() {
      #expect(next(0) == "wait inf")
      #expect(add("ab") == [true, false])
      #expect(next(4) == "wait 6.0")
      #expect(add("cd", 4) == [true, false])
      #expect(next(4) == "spans abc")
      schedule.didSendSpans(.accepted(), now: 5, jitter: 0)
      #expect(next(5) == "wait 9.0")
      #expect(next(14) == "spans d")
      schedule.didSendSpans(.accepted(), now: 14, jitter: 0)
      #expect(next(14) == "wait inf")
      #expect(schedule.counts == .init(exported: 4))
    }

    @Test("Spans above the limit are dropped, those being sent included")
    mutating func limit() {
      _ = add("abc")
      #expect(next(0) == "spans abc")
      #expect(add("def") == [true, false, false])
      #expect(schedule.waiting == 5 && schedule.counts.dropped == 1)
      schedule.didSendSpans(.accepted(rejected: 1), now: 0, jitter: 0)
      #expect(schedule.counts == .init(exported: 2, dropped: 2))
      #expect(next(10) == "spans de")
    }

    @Test("After a failure the same spans are sent again, after pauses that grow")
    mutating func backOff() {
      _ = add("a")
      #expect(next(10) == "spans a")
      schedule.didSendSpans(.failed(retryAfter: nil), now: 10, jitter: 1)
      #expect(next(10) == "wait 1.0")
      _ = add("b", 10)
      #expect(next(11) == "spans ab")
      schedule.didSendSpans(.failed(retryAfter: nil), now: 11, jitter: 0)
      #expect(next(11) == "wait 1.0")
      #expect(next(12) == "spans ab")
      schedule.didSendSpans(.accepted(), now: 12, jitter: 0)
      _ = add("c", 12)
      #expect(next(22) == "spans c")
      schedule.didSendSpans(.failed(retryAfter: nil), now: 22, jitter: 1)
      #expect(next(22) == "wait 1.0")
      #expect(schedule.counts == .init(exported: 2, failures: 3))
    }

    @Test(
      "The pauses are limited, and a collector may ask for a longer one",
      arguments: [
        (nil, 60.0), (7, 7), (0, 1), (1e9, 300), (-1, 1),
      ] as [(Double?, Double)])
    mutating func pauses(retryAfter: Double?, pause: Double) {
      _ = add("a")
      var now = 10.0
      for _ in 0..<20 {
        guard next(now) == "spans a" else {
          Issue.record("nothing was sent")
          return
        }
        schedule.didSendSpans(.failed(retryAfter: retryAfter), now: now, jitter: 1)
        now += 1000
      }
      #expect(next(now - 1000) == "wait \(pause)")
    }

    @Test("What a collector refuses is dropped, and the next spans are sent")
    mutating func refused() {
      _ = add("abcd")
      #expect(next(0) == "spans abc")
      schedule.didSendSpans(.refused, now: 0, jitter: 1)
      #expect(next(10) == "spans d")
      #expect(schedule.counts == .init(dropped: 3, failures: 1))
    }

    @Test("When the schedule is closed, everything is sent at once, then the metrics, then it ends")
    mutating func closed() {
      var limits = Self.limits
      limits.metricsInterval = 60
      schedule = ExportSchedule(limits, now: 0)
      _ = add("abcd")
      #expect(next(0) == "spans abc")
      schedule.didSendSpans(.failed(retryAfter: 100), now: 0, jitter: 0)
      schedule.close()
      #expect(next(0) == "spans abc")
      schedule.didSendSpans(.accepted(), now: 0, jitter: 0)
      #expect(next(0) == "spans d")
      schedule.didSendSpans(.accepted(), now: 0, jitter: 0)
      #expect(next(0) == "metrics")
      schedule.didSendMetrics(.failed(retryAfter: 100), now: 0, jitter: 0)
      #expect(next(0) == "end")
    }

    @Test("After a failure in a closed schedule, the rest is dropped")
    mutating func closedFailure() {
      _ = add("abcd")
      schedule.close()
      #expect(next(0) == "spans abc")
      schedule.didSendSpans(.failed(retryAfter: nil), now: 0, jitter: 0)
      #expect(next(0) == "end")
      #expect(schedule.counts == .init(dropped: 4, failures: 1))
    }

    @Test("Metrics are sent after each interval, also if they failed before")
    mutating func metrics() {
      var limits = Self.limits
      limits.metricsInterval = 60
      schedule = ExportSchedule(limits, now: 0)
      #expect(next(0) == "wait 60.0")
      #expect(next(60) == "metrics")
      schedule.didSendMetrics(.accepted(), now: 61, jitter: 0)
      #expect(next(61) == "wait 60.0")
      #expect(next(121) == "metrics")
      schedule.didSendMetrics(.failed(retryAfter: 90), now: 121, jitter: 0)
      // Spans wait for the collector, too.
      _ = add("abc", 121)
      #expect(next(121) == "wait 90.0")
      #expect(next(211) == "spans abc")
      schedule.didSendSpans(.accepted(), now: 211, jitter: 0)
      #expect(next(211) == "metrics")
    }
  }
#endif
