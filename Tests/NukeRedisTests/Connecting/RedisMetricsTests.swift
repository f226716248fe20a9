#if Redis
  import Foundation
  import MetricsTestKit
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "The metrics of Redis", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisMetricsTests {
    private let metrics = TestMetrics()

    private func durations(_ operation: String, _ outcome: String) throws -> [Int64] {
      try metrics.expectTimer(
        "nuke_redis_request_duration_seconds", [("operation", operation), ("outcome", outcome)]
      ).values
    }

    @Test("The duration of each request is recorded by operation and outcome, but not while the server is suspended")
    func recorded() throws {
      let server = try RedisServer()
      let cache = server.cache {
        $0.connectTimeout = 10
        $0.commandTimeout = 10
        $0.metricsFactory = metrics
      }
      cache.storeData(Data([1]), for: "a")
      cache.flush()
      _ = cache.cachedData(for: "a")
      _ = cache.containsData(for: "b")
      do {
        let lease = cache.lease(for: "c")
        withExtendedLifetime(lease) {}
      }
      cache.leases.flush()
      #expect(try durations("write", "success").count == 1)
      let reads = try durations("read", "success")
      #expect(reads.count == 2 && reads.allSatisfy { $0 > 0 && $0 < 10_000_000_000 })
      // It was acquired and released.
      #expect(try durations("lease", "success").count == 2)
      server.stop()
      for _ in 0..<10 { _ = cache.cachedData(for: "a") }
      #expect(try durations("read", "failure").count == RedisPool.failureThreshold)
      #expect(try durations("read", "success").count == 2)
    }
  }
#endif
