#if Server
  import Testing

  @testable import NukeServer

  @Suite("What a request asks for")
  struct RequestRouteTests {
    @Test("few names stand for all paths")
    func names() {
      #expect(RequestRoute(path: "/health", prefix: "") == .health)
      #expect(RequestRoute(path: "/_playground/stats", prefix: "") == .playground)
      #expect(RequestRoute(path: "/info/sig/plain/x", prefix: "") == .info)
      #expect(RequestRoute(path: "/sig/plain/x", prefix: "") == .picture)
      #expect(RequestRoute(path: "/sig/plain/x", prefix: "/img") == .other)
      #expect(RequestRoute(path: "/img/sig/plain/x", prefix: "/img") == .picture)
    }
  }

  @Suite("What the server has done")
  struct ServerStatisticsTests {
    @Test("counts, and the times in the middle and of the slowest")
    func counts() {
      let statistics = ServerStatistics(clock: { 5 })
      for number in 1...100 {
        statistics.began()
        statistics.answered(number.isMultiple(of: 2) ? .memory : .made)
        statistics.ended(status: number == 1 ? 500 : 200, bytes: 10, seconds: Double(number) / 1000, isPicture: true)
      }
      statistics.began()
      let snapshot = statistics.snapshot
      #expect(snapshot.requests == 100 && snapshot.failures == 1 && snapshot.bytesSent == 1000)
      #expect(snapshot.memoryHits == 50 && snapshot.made == 50 && snapshot.activeRequests == 1)
      #expect(snapshot.medianMilliseconds == 51)
      #expect(snapshot.slowMilliseconds == 96)
    }

    @Test("only the last requests count for the times")
    func ring() {
      let statistics = ServerStatistics(clock: { 0 })
      for seconds in Array(repeating: 9.0, count: 600) + Array(repeating: 0.001, count: 512) {
        statistics.ended(status: 200, bytes: 0, seconds: seconds, isPicture: true)
      }
      #expect(statistics.snapshot.slowMilliseconds == 1)
    }
  }
#endif
