#if Server
  import Testing

  @testable import NukeServer

  @Suite("The kind of a request")
  struct RequestRouteTests {
    @Test("All paths map to a few kinds")
    func names() {
      #expect(RequestRoute(path: "/health", prefix: "") == .health)
      #expect(RequestRoute(path: "/_playground/stats", prefix: "") == .playground)
      #expect(RequestRoute(path: "/info/sig/plain/x", prefix: "") == .info)
      #expect(RequestRoute(path: "/sig/plain/x", prefix: "") == .image)
      #expect(RequestRoute(path: "/sig/plain/x", prefix: "/img") == .other)
      #expect(RequestRoute(path: "/img/sig/plain/x", prefix: "/img") == .image)
      #expect(RequestRoute(path: "/img/health", prefix: "/img") == .health)
      #expect(RequestRoute(path: "/img/ready", prefix: "/img") == .ready)
      for path in ["/", "/favicon.ico", "/robots.txt", "/sig/", "/info", "/.well-known/security.txt"] {
        #expect(RequestRoute(path: path, prefix: "") == .other, "\(path)")
        #expect(RequestRoute(path: "/img" + path, prefix: "/img") == .other, "\(path)")
      }
    }
  }

  @Suite("Paths as the router interprets them")
  struct RoutedPathTests {
    @Test("Repeated slashes before and in a prefix count as one, and the rest stays as it was sent")
    func slashes() {
      for path in ["/img//x//y", "//img//x//y", "///img//x//y"] {
        #expect(RoutedPath.rest(of: path, behind: "/img") == "//x//y")
        #expect(RequestRoute(path: path, prefix: "/img") == .image)
      }
      #expect(RoutedPath.rest(of: "//a///b/x", behind: "/a/b") == "/x")
      #expect(RoutedPath.rest(of: "//x", behind: "") == "//x")
      #expect(RequestRoute(path: "//img/info/sig/plain/x", prefix: "/img") == .info)
      #expect(RequestRoute(path: "//health", prefix: "/img") == .health)
      #expect(RequestRoute(path: "//", prefix: "") == .other)
    }

    @Test("A path without the prefix has no rest")
    func others() {
      for path in ["/img", "img/x", "/image/x", "/im/g/x", "/./img/x", "/%2Fimg/x", "/x/img/y", ""] {
        #expect(RoutedPath.rest(of: path, behind: "/img") == nil, "\(path)")
        #expect(RequestRoute(path: path, prefix: "/img") == .other, "\(path)")
      }
    }
  }

  @Suite("Server statistics")
  struct ServerStatisticsTests {
    @Test("Requests are counted, with the median and the maximum duration")
    func counts() {
      let statistics = ServerStatistics(clock: { 5 })
      for number in 1...100 {
        statistics.began()
        statistics.answered(number.isMultiple(of: 2) ? .memory : .made)
        statistics.ended(status: number == 1 ? 500 : 200, bytes: 10, seconds: Double(number) / 1000, isImage: true)
      }
      statistics.began()
      let snapshot = statistics.snapshot
      #expect(snapshot.requests == 100 && snapshot.failures == 1 && snapshot.bytesSent == 1000)
      #expect(snapshot.memoryHits == 50 && snapshot.made == 50 && snapshot.activeRequests == 1)
      #expect(snapshot.medianMilliseconds == 51)
      #expect(snapshot.slowMilliseconds == 96)
    }

    @Test("Only the most recent requests count for the durations")
    func ring() {
      let statistics = ServerStatistics(clock: { 0 })
      for seconds in Array(repeating: 9.0, count: 600) + Array(repeating: 0.001, count: 512) {
        statistics.ended(status: 200, bytes: 0, seconds: seconds, isImage: true)
      }
      #expect(statistics.snapshot.slowMilliseconds == 1)
    }
  }
#endif
