#if Server
  import Testing

  @testable import NukeServer

  @Suite("The kind of a request, and its path as the router interprets it")
  struct RequestRouteTests {
    private static let others = ["/", "/favicon.ico", "/robots.txt", "/sig/", "/info", "/.well-known/security.txt"]

    @Test(
      "All paths map to a few kinds",
      arguments: [
        ("/health", "", .health), ("/_playground/stats", "", .playground), ("/info/sig/plain/x", "", .info),
        ("/sig/plain/x", "", .image), ("/sig/plain/x", "/img", .other), ("/img/sig/plain/x", "/img", .image),
        ("/img/health", "/img", .health), ("/img/ready", "/img", .ready), ("//health", "/img", .health),
        ("//img/info/sig/plain/x", "/img", .info), ("//", "", .other),
      ] + others.flatMap { [($0, "", .other), ("/img" + $0, "/img", .other)] } as [(String, String, RequestRoute)])
    func names(path: String, prefix: String, route: RequestRoute) {
      #expect(RequestRoute(path: path, prefix: prefix) == route)
    }

    @Test(
      "Another path of the health check is recognized",
      arguments: [
        ("/healthz", .health), ("//healthz/", .health), ("/healthz/x", .image), ("/health", .health),
      ] as [(String, RequestRoute)])
    func healthPath(path: String, route: RequestRoute) {
      #expect(RequestRoute(path: path, prefix: "", healthPath: "/healthz") == route)
      #expect(RequestRoute(path: "/a" + path, prefix: "/a", healthPath: "/a/healthz") == route)
    }

    @Test(
      "Repeated slashes before and in a prefix count as one, and the rest stays as it was sent",
      arguments: [
        ("/img//x//y", "/img", "//x//y"), ("//img//x//y", "/img", "//x//y"), ("///img//x//y", "/img", "//x//y"),
        ("//a///b/x", "/a/b", "/x"), ("//x", "", "//x"),
      ])
    func slashes(path: String, prefix: String, rest: String) {
      #expect(RoutedPath.rest(of: path, behind: prefix).map(String.init) == rest)
      if prefix == "/img" { #expect(RequestRoute(path: path, prefix: prefix) == .image) }
    }

    @Test(
      "A path without the prefix has no rest",
      arguments: ["/img", "img/x", "/image/x", "/im/g/x", "/./img/x", "/%2Fimg/x", "/x/img/y", ""])
    func withoutPrefix(path: String) {
      #expect(RoutedPath.rest(of: path, behind: "/img") == nil)
      #expect(RequestRoute(path: path, prefix: "/img") == .other)
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
