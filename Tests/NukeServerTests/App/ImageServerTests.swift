#if Server
  import Foundation
  import FoundationNetworking
  import HTTPTypes
  import Hummingbird
  import HummingbirdTesting
  import Logging
  import NIOCore
  import NukeBase
  import NukeServing
  import NukeTesting
  import ServiceLifecycle
  import Testing

  @testable import NukeServer

  @Suite("The lifecycle of a server")
  struct ImageServerTests {
    @Test("The server is ready once it listens, and serves metrics if they are enabled")
    func operation() async throws {
      let running = try await RunningServer(.withMetrics)
      let health = try await running.get("/health")
      #expect(health.status == 200 && health.text == "alive\n")
      #expect(try await running.get("/ready").text == "ready\n")
      #expect(try await running.get("/sig/plain/local:///a.jpg").status == 200)
      let metrics = try await running.get("/metrics")
      #expect(metrics.fields["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(metrics.text.contains("nuke_renditions_total{origin=\"made\"} 1\n"))
      #expect(
        metrics.text.contains("nuke_http_requests_total{method=\"GET\",route=\"image\",status=\"200\"} 1\n"))
      #expect(metrics.text.contains("process_resident_memory_bytes "))
      try await running.stop()
    }

    @Test("Disabled routes, and other paths that cannot be those of images, respond with 404")
    func switches() async throws {
      var configuration = ImageServer.Configuration()
      configuration.servesHealth = false
      let running = try await RunningServer(configuration)
      for path in [
        "/health", "/ready", "/metrics", "/_playground", "/", "/favicon.ico", "//favicon.ico", "/favicon.ico?v=2",
        "/robots.txt", "/apple-touch-icon.png", "/unsafe", "/unsafe/", "/info", "/info/", "/.well-known/security.txt",
        "/.well-known/acme-challenge/plain/local:///a.jpg",
      ] {
        for method in ["GET", "HEAD", "POST", "DELETE", "OPTIONS"] {
          let answer = try await running.send(path, method: method)
          #expect(answer.status == 404, "\(method) \(path)")
        }
      }
      // The route for images is there.
      #expect(try await running.get("/sig/plain/local:///a.jpg").status == 200)
      try await running.stop()
      // None of them is counted as an image.
      #expect(running.server.statistics.snapshot.requests == 1)
    }

    @Test(
      "A method that nobody knows is not allowed for images, and other paths do not exist", arguments: ["", "/images"])
    func inventedMethod(prefix: String) async throws {
      var configuration = ImageServer.Configuration()
      configuration.pathPrefix = prefix
      var dependencies = ServerDependencies.fake()
      dependencies.addRoutes = { router, renditions in
        let routes = ImageRoutes(service: renditions, verifier: URLVerifier(signer: nil, allowsUnsigned: true))
        routes.add(to: router, at: RouterPath(prefix))
        return routes
      }
      let lines = LogLines()
      let logger = Logger(label: "test") {
        ServerLogHandler(label: $0, format: .json, level: .info, write: lines.write)
      }
      let server = ImageServer(configuration, dependencies: dependencies, logger: logger)
      // The parser of HTTP/1.1 rejects such methods, so this stands for a client of HTTP/2.
      try await Application(router: server.routing().router).test(.router) { client in
        for (path, status, allowed) in [
          ("/sig/plain/local:///a.jpg", HTTPResponse.Status.methodNotAllowed, "GET, HEAD, OPTIONS"),
          ("/favicon.ico", .notFound, nil),
        ] {
          let response = try await client.execute(uri: prefix + path, method: #require(HTTPRequest.Method("FOO")))
          #expect(response.status == status)
          #expect(response.headers[.allow] == allowed)
        }
        let health = try await client.execute(uri: "/health", method: #require(HTTPRequest.Method("FOO")))
        #expect(health.status == .notFound)
      }
      #expect(lines.all.contains { $0.contains("\"method\":\"FOO\"") && $0.contains("\"status\":405") })
    }

    @Test("With an operation port, health and metrics are served only there")
    func operationPort() async throws {
      var configuration = ImageServer.Configuration.withMetrics
      configuration.operationPort = 0
      let running = try await RunningServer(configuration)
      let port = await running.operationPort
      for path in ["/health", "/ready", "/metrics"] {
        #expect(try await running.get(path).status == 404, "\(path)")
        #expect(try await running.get(path, port: port).status == 200, "\(path)")
      }
      #expect(try await running.get("/sig/plain/local:///a.jpg").status == 200)
      #expect(try await running.get("/sig/plain/local:///a.jpg", port: port).status == 404)
      try await running.stop()
      await #expect(throws: (any Error).self) { try await running.get("/health", port: port) }
    }

    @Test("With the environment of imgproxy, health checks stay on the main port, below the prefix")
    func healthOfImgproxy() async throws {
      for (prefix, operationPort) in [("", nil), ("", 0), ("/img", nil), ("/img", 0)] as [(String, Int?)] {
        var configuration = ImageServer.Configuration.withMetrics
        configuration.usesImgproxyEnvironment = true
        (configuration.pathPrefix, configuration.operationPort) = (prefix, operationPort)
        let running = try await RunningServer(configuration)
        #expect(try await running.get(prefix + "/health").text == "alive\n")
        #expect(try await running.get(prefix + "/ready").text == "ready\n")
        #expect(try await running.get("/metrics").status == (operationPort == nil ? 200 : 404))
        try await running.stop()
      }
      var configuration = ImageServer.Configuration()
      (configuration.usesImgproxyEnvironment, configuration.servesHealth) = (true, false)
      let running = try await RunningServer(configuration)
      #expect(try await running.get("/health").status == 404)
      try await running.stop()
    }

    @Test("A running request is finished before the server ends, and the server is not ready in the meantime")
    func gracefulShutdown() async throws {
      let gate = Gate()
      let running = try await RunningServer(gate: gate)
      async let answer = running.get("/sig/plain/local:///a.jpg")
      await gate.arrivals(count: 1)
      await running.group.triggerGracefulShutdown()
      await running.lines.toldOfShutdown.wait()
      #expect(running.server.state.unreadyReason == "stopping")
      gate.open()
      #expect(try await answer.status == 200)
      try await running.ended()
      #expect(running.lines.all.contains { $0.contains("shutting down: 1 requests are running") })
      await #expect(throws: (any Error).self) { try await running.get("/health") }
    }

    @Test("During the drain delay, requests are served, and their responses close kept-alive connections")
    func draining() async throws {
      let running = try await RunningServer()
      let client = try RawClient(port: running.port)
      let request = "GET /sig/plain/local:///a.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n"
      try await client.send(request)
      #expect(try await !client.receive(until: "\u{1}\u{2}\u{3}").contains("Connection:"))
      // Without a delay, it returns at once.
      await running.server.drain()
      try await client.send(request)
      let answer = try await client.receive()
      #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("Connection: close\r\n"), "\(answer)")
      // The server still accepts connections.
      #expect(try await running.get("/ready").status == 503)
      let line = try #require(running.lines.all.first { $0.contains("/ready") })
      #expect(line.contains("\"level\":\"info\""), "\(line)")
      try await running.stop()
    }

    @Test("A server that cannot listen reports the reason and releases everything")
    func failureToListen() async throws {
      var configuration = ImageServer.Configuration()
      configuration.socket = "/nosuchfolder/nuke.socket"
      var dependencies = ServerDependencies.fake()
      let left = Lock<[Double]>([])
      dependencies.close = { deadline in left.withLock { $0.append(deadline.seconds) } }
      do {
        let running = try await RunningServer(configuration, dependencies: dependencies)
        try await running.stop()
        Issue.record("it listens at a place that there is not")
      } catch {}
      #expect(left.withLock { $0 } == [0])
    }

    @Test("Health checks may use HEAD")
    func head() async throws {
      let running = try await RunningServer(.withMetrics)
      for path in ["/health", "/ready", "/metrics"] {
        let answer = try await running.send(path, method: "HEAD")
        #expect(answer.status == 200 && answer.body.isEmpty, "\(path)")
        #expect(answer.head.contains("Cache-Control: no-store"))
      }
      try await running.stop()
    }

    @Test(
      "Every response has headers against content sniffing and loading of other resources",
      arguments: ["/health", "/metrics", "/nothing", "/sig/plain/local:///a.jpg", "/_playground/config"])
    func protection(path: String) async throws {
      var configuration = ImageServer.Configuration()
      configuration.servesPlayground = true
      for dependencies in [ServerDependencies.fake(), .fake(error: .overloaded(retryAfter: 1))] {
        let running = try await RunningServer(configuration, dependencies: dependencies)
        let fields = try await running.get(path).fields
        #expect(fields["X-Content-Type-Options"] == "nosniff")
        #expect(fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        try await running.stop()
      }
    }

    @Test("A shutdown ends shortly after the grace period, whatever remains to be done")
    func deadline() {
      let now = Lock(105.0)
      let deadline = ShutdownDeadline(start: 100, gracePeriod: 20) { now.withLock { $0 } }
      #expect(deadline.seconds == 19)
      now.withLock { $0 = 120 }
      #expect(deadline.seconds == ShutdownDeadline.closingTime)
      now.withLock { $0 = 200 }
      #expect(deadline.seconds == 0)
    }

    @Test("With the default settings, the server exits before the service managers configured in deploy/ kill it")
    func deployedTime() throws {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("deploy")
      let longest = ImageServer.Configuration().gracePeriod + ShutdownDeadline.closingTime
      for (file, setting) in [("systemd/nuke.service", "TimeoutStopSec="), ("compose.yaml", "stop_grace_period: ")] {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.contains(setting) })
        let seconds = try #require(Double(line.split(separator: setting).last?.filter(\.isNumber) ?? ""))
        #expect(longest < seconds, "\(file)")
      }
    }

    @Test("Requests that exceed the grace period are canceled")
    func gracePeriod() async throws {
      var configuration = ImageServer.Configuration()
      configuration.gracePeriod = 0.05
      let gate = Gate()
      let left = Lock<Double?>(nil)
      var dependencies = ServerDependencies.fake(gate: gate)
      // For it no time passes.
      dependencies.clock = { 100 }
      dependencies.close = { deadline in left.withLock { $0 = deadline.seconds } }
      let running = try await RunningServer(configuration, dependencies: dependencies)
      async let answer = running.get("/sig/plain/local:///a.jpg")
      await gate.arrivals(count: 1)
      try await running.stop()
      let status = try? await answer.status
      #expect(status != 200)
      let seconds = try #require(left.withLock { $0 })
      #expect(abs(seconds - 0.05 - ShutdownDeadline.closingTime) < 1e-9, "there is time for the stores behind it")
    }

    @Test("The server is not ready before it listens, nor while a required service is unavailable")
    func readiness() {
      let storeProblem = Lock<String?>(nil)
      let state = ServerState(storeProblem: { storeProblem.withLock { $0 } })
      #expect(state.unreadyReason == "starting")
      state.started()
      #expect(state.unreadyReason == nil)
      storeProblem.withLock { $0 = "Redis is gone" }
      #expect(state.unreadyReason == "Redis is gone")
      state.stopping()
      state.started()
      #expect(state.unreadyReason == "stopping")
    }

    @Test("The log contains the request ID, the path without secrets, and the reason for a missing image")
    func log() async throws {
      var configuration = ImageServer.Configuration()
      configuration.sendsTiming = true
      let running = try await RunningServer(configuration, error: .sourceFailed("http://10.0.0.7/ answered 500"))
      let answer = try await running.get(
        "/c2VjcmV0c2lnbmF0dXJl/rs:fit:9/plain/http://h/a.jpg%3Fkey=hidden?more=hidden",
        fields: ["X-Request-ID": "mine-1"])
      #expect(answer.status == 502)
      #expect(answer.fields["X-Request-ID"] == "mine-1")
      #expect(answer.fields["Server-Timing"]?.contains("total;dur=") == true)
      #expect(!answer.text.contains("10.0.0.7"))
      try await running.stop()
      let line = try #require(running.lines.all.first { $0.contains("\"message\":\"request\"") })
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["request"] as? String == "mine-1")
      #expect(object["path"] as? String == "/-/rs:fit:9/plain/http://h/a.jpg")
      #expect(object["status"] as? Int == 502)
      #expect((object["error"] as? String)?.contains("10.0.0.7") == true)
      for line in running.lines.all {
        #expect(!line.contains("c2VjcmV0") && !line.contains("hidden"))
      }
    }

    @Test(
      "A request that cannot be read is answered with a sentence after those before it, and is counted and logged",
      arguments: [
        (431, String(repeating: "X: y\r\n", count: 101)), (431, "X: " + String(repeating: "y", count: 17_000) + "\r\n"),
        (400, "Content-Length: -1\r\n"),
      ])
    func invalid(status: Int, fields: String) async throws {
      let running = try await RunningServer(.withMetrics)
      let client = try RawClient(port: running.port)
      let start = "GET /health HTTP/1.1\r\nHost: localhost\r\n"
      try await client.send(start + "\r\n" + start + fields + "\r\n")
      let answers = try await client.receive().components(separatedBy: "HTTP/1.1 ")
      try #require(answers.count == 3, "\(answers)")
      #expect(answers[1].hasPrefix("200 ") && answers[1].hasSuffix("\r\n\r\nalive\n"))
      let error = (status == 431 ? InvalidRequest.headTooLarge : .syntax).message
      #expect(answers[2].hasPrefix("\(status) ") && answers[2].hasSuffix("\r\n\r\n\(error)\n"))
      for field in ["Connection: close", "Content-Length: \(error.count + 1)", "X-Content-Type-Options: nosniff"] {
        #expect(answers[2].contains(field + "\r\n"), "\(answers[2])")
      }
      let metrics = try await running.get("/metrics").text
      #expect(
        metrics.contains("nuke_http_requests_total{method=\"other\",route=\"other\",status=\"\(status)\"} 1\n"))
      try await running.stop()
      let lines = running.lines.all.filter { $0.contains("\"status\":\(status)") }
      try #require(lines.count == 1, "\(running.lines.all)")
      #expect(lines[0].contains(error) && lines[0].contains("\"client\":\"127.0.0.1\""))
    }

    @Test("An address that is in use is an error")
    func takenAddress() async throws {
      let running = try await RunningServer()
      var configuration = ImageServer.Configuration()
      configuration.port = running.port
      let other = ImageServer(configuration, dependencies: ServerDependencies.fake(), logger: running.logger)
      await #expect(throws: (any Error).self) { try await other.run() }
      try await running.stop()
    }

    @Test("A server on all addresses accepts connections over IPv4, and logs their clients in IPv4's notation")
    func allAddresses() async throws {
      var configuration = ImageServer.Configuration()
      configuration.host = "::"
      let running = try await RunningServer(configuration)
      #expect(try await running.get("/sig/plain/local:///a.jpg").status == 200)
      try await running.stop()
      #expect(running.lines.all.contains { $0.contains(#""client":"127.0.0.1""#) }, "\(running.lines.all)")
      #expect(try SocketAddress(ipAddress: "::ffff:192.0.2.1", port: 1).clientAddress == "192.0.2.1")
      #expect(try SocketAddress(ipAddress: "2001:db8::1", port: 1).clientAddress == "2001:db8::1")
      // The health check cannot know whether there is IPv6.
      #expect(HealthCheck.reachable("::") == "127.0.0.1")
    }

    @Test("Without IPv6, all addresses are those of IPv4")
    func withoutIPv6() {
      #expect(ListeningAddress.host("::") { false } == "0.0.0.0")
      #expect(ListeningAddress.host("::") { true } == "::")
      #expect(ListeningAddress.host("127.0.0.1") { true } == "127.0.0.1")
    }

    @Test("The server listens on a Unix domain socket")
    func socket() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      var configuration = ImageServer.Configuration()
      configuration.socket = folder.appendingPathComponent("s").path
      let running = try await RunningServer(configuration)
      #expect(running.address.description == "unix:\(configuration.socket!)")
      #expect(FileManager.default.fileExists(atPath: configuration.socket!))
      try await running.stop()
    }
  }
#endif
