#if Server && Redis
  import Foundation
  import Logging
  import NukeBase
  import NukeImaging
  import NukeLoaderSuite
  import NukeLocalServers
  import NukeOrigin
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite(
    "Servers that share a Redis server", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct SharedRedisTests {
    private let redis: RedisServer
    private let image = SampleImage.png(width: 400, height: 300)
    private let origins = Origins()

    init() throws { redis = try RedisServer() }

    private func server(_ change: (inout ImageServer.Configuration) -> Void = { _ in }) async throws -> RunningServer {
      var configuration = ImageServer.Configuration.ofLoopback
      configuration.redisURL = "unix://\(redis.socket)"
      configuration.redisTimeout = 20
      change(&configuration)
      return try await RunningServer(assembling: configuration)
    }

    private func path(_ source: URL, width: Int = 40) -> String { "/unsafe/w:\(width)/plain/\(source)@webp" }

    @Test("Two servers render an image once: the second waits for the first and reads its result")
    func once() async throws {
      let gate = ScriptGate()
      let image = image
      let origin = try origins.start { _ in .data(image).held(by: gate) }
      let (one, two) = (try await server(), try await server())
      let path = path(origin.url("/a.png"))
      async let first = one.get(path)
      try await origin.waitUntil { $0.requests.count == 1 }
      async let second = two.get(path)
      while try await !two.get("/metrics").text.contains("nuke_service_lease_waits_total 1\n") {
        try Task.checkCancellation()
      }
      gate.open()
      let (made, found) = try await (first, second)
      #expect(made.status == 200 && made.fields["Server-Timing"]?.hasPrefix("cache;desc=made") == true)
      #expect(found.status == 200 && found.fields["Server-Timing"]?.hasPrefix("cache;desc=store") == true)
      #expect(found.data == made.data && found.fields["ETag"] == made.fields["ETag"])
      #expect(origin.log.requests.count == 1)
      try await one.stop()
      try await two.stop()
    }

    @Test(
      "A server continues without Redis and reports it; only a server that requires Redis is not ready",
      arguments: [false, true])
    func gone(isRequired: Bool) async throws {
      let image = image
      let origin = try origins.start { _ in .data(image) }
      let server = try await server { $0.requiresRedis = isRequired }
      // One that cannot do without has to reach it first.
      while isRequired, try await server.get("/ready").status != 200 { try Task.checkCancellation() }
      #expect(try await server.get(path(origin.url("/a.png"))).status == 200)
      #expect(try await server.get("/ready").status == 200)
      #expect(try await server.get("/metrics").text.contains("nuke_redis_up 1\n"))
      redis.stop()
      // A few failures in a row are taken for an end.
      for width in 1...8 {
        #expect(try await server.get(path(origin.url("/a.png"), width: width)).status == 200)
      }
      let metrics = try await server.get("/metrics").text
      #expect(metrics.contains("nuke_redis_up 0\n"))
      #expect(!metrics.contains("nuke_redis_errors_total 0\n"))
      for outcome in ["success", "failure"] {
        let series = "nuke_redis_request_duration_seconds_count{operation=\"read\",outcome=\"\(outcome)\"}"
        #expect(metrics.contains("\(series) ") && !metrics.contains("\(series) 0\n"))
      }
      #expect(!metrics.contains("nuke_service_leases_unavailable_total 0\n"))
      let ready = try await server.get("/ready")
      #expect(ready.status == (isRequired ? 503 : 200))
      #expect(ready.text == (isRequired ? "Redis is unavailable\n" : "ready\n"))
      try await server.stop()
    }

    @Test("An entry in Redis is not looked up in the bucket")
    func nearest() async throws {
      let image = image
      let origin = try NukeOrigin { _ in .data(image) }
      let bucket = try NukeOrigin { $0.method == "GET" ? .status(404) : .data(Data()) }
      defer {
        origin.stop()
        bucket.stop()
      }
      var requests: [[String]] = []
      for found in ["made", "store"] {
        let server = try await server {
          $0.s3Endpoint = bucket.url("").absoluteString
          ($0.s3AccessKey, $0.s3SecretKey, $0.s3Cache) = ("name", "key", "results/nuke")
          $0.s3Timeout = 20
        }
        let before = bucket.log.requests.count
        let answer = try await server.get(path(origin.url("/a.png")))
        #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(found)") == true)
        if found == "store" {
          let metrics = try await server.get("/metrics").text
          #expect(metrics.contains("nuke_s3_misses_total 0\n") && !metrics.contains("nuke_redis_hits_total 0\n"))
        }
        try await server.stop()
        requests.append(bucket.log.requests.dropFirst(before).map(\.method))
      }
      #expect(requests.first?.contains("PUT") == true)
      #expect(requests.last == [])
    }

    @Test("A purge on one server reaches the others through Redis, and a failure of the source does, too")
    func purge() async throws {
      let images = [SampleImage.png(width: 400, height: 300), SampleImage.png(width: 300, height: 300)]
      let isReplaced = Lock(false)
      let origin = try origins.start { request in
        if request.path.contains("missing") { return .status(404) }
        var response = NukeOrigin.Response.data(images[isReplaced.withLock { $0 } ? 1 : 0])
        response.headers.append(("Cache-Control", "max-age=86400"))
        return response
      }
      let (keys, salts) = ([Data("purge".utf8)], [Data("salt".utf8)])
      let one = try await server { ($0.purgeKeys, $0.purgeSalts) = (keys, salts) }
      let two = try await server { ($0.purgeKeys, $0.purgeSalts) = (keys, salts) }
      let path = path(origin.url("/a.png"), width: 30)
      let before = try await one.get(path)
      isReplaced.withLock { $0 = true }
      #expect(try await one.get(path).data == before.data)

      // Without the size, whose result stays in Redis.
      let signer = try #require(one.server.configuration.purgeSigner)
      let url = signer.sign(ImageURL(source: origin.url("/a.png").absoluteString), for: .purge)
      #expect(try await one.send(path, method: "DELETE").status == 403)
      #expect(try await one.send(url.path, method: "DELETE").status == 204)
      let after = try await two.get(path)
      #expect(after.status == 200 && after.data != before.data)
      #expect(try await one.get(path).data == after.data)

      let missing = self.path(origin.url("/missing.png"))
      #expect(try await one.get(missing).status == 404)
      let count = origin.log.requests.count
      #expect(try await two.get(missing).status == 404)
      #expect(origin.log.requests.count == count)
      #expect(try await two.get("/metrics").text.contains("nuke_service_shared_failures_total 1\n"))
      try await one.stop()
      try await two.stop()
    }

    @Test("A new server finds the results of another one")
    func restart() async throws {
      let image = image
      let origin = try origins.start { _ in .data(image) }
      var bodies: Set<Data> = []
      for found in ["made", "store"] {
        let server = try await server()
        let answer = try await server.get(path(origin.url("/a.png")))
        #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(found)") == true)
        bodies.insert(answer.data)
        try await server.stop()
      }
      #expect(bodies.count == 1)
      #expect(origin.log.requests.count == 1)
    }
  }
#endif
