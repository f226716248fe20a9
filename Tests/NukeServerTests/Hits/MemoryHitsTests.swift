#if Server
  import Foundation
  import InMemoryTracing
  import NukeBase
  import NukeImaging
  import NukeServing
  import NukeTesting
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("Memory hits over sockets", .timeLimit(.minutes(1))) struct MemoryHitsTests {
    private static let path = ImageURL.signed([ImageOption("w", "100")])
    private static let last = RawClient.request("/health", ["Connection: close"])
    private let renditions = RenditionsInMemory()

    private func withServer<Value>(
      _ renditions: RenditionsInMemory, isShort: Bool = true, settings: AnswerSettings = AnswerSettings(),
      _ configuration: ImageServer.Configuration = .init(), tracer: any Tracer = NoOpTracer(),
      now: @escaping @Sendable () -> Int = { ImageRoutes.now },
      _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
      let server = try await RunningServer(
        configuration, dependencies: .images(renditions, isShort: isShort, settings: settings, now: now),
        tracer: tracer)
      let result: Result<Value, any Error>
      do { result = .success(try await body(server)) } catch { result = .failure(error) }
      try await server.stop()
      return try result.get()
    }

    struct Case: CustomTestStringConvertible, Sendable {
      let request: String
      /// Who finds the image in memory; `nil` if there is none to be found.
      let finder: String?

      init(_ finder: String?, _ path: String = MemoryHitsTests.path, _ method: String = "GET", _ fields: String...) {
        self.finder = finder
        request = RawClient.request(path, method: method, fields)
      }

      var testDescription: String { request }
    }

    private static let cases = [
      Case("handler"),
      Case("handler", path, "HEAD"),
      Case("handler", path, "GET", "Connection: keep-alive"),
      Case("handler", path, "GET", "Connection: Keep-Alive", "Accept: image/webp,*/*;q=0.8", "Accept-Encoding: gzip"),
      Case("handler", path, "GET", "Accept: image/webp"),
      Case("handler", path, "HEAD", "Accept: image/webp", "Accept: image/png"),
      Case("handler", path, "GET", "If-None-Match: \"<100>\""),
      Case("handler", path, "HEAD", "If-None-Match: W/\"<100>\", \"x\""),
      Case("handler", path, "GET", "If-None-Match: *"),
      Case("handler", path, "GET", "If-None-Match: \"other\""),
      Case("handler", path, "GET", "If-Match: \"other\""),
      Case("handler", path, "HEAD", "If-Match: \"other\""),
      Case("handler", path, "GET", "If-Modified-Since: Tue, 14 Nov 2023 22:00:00 GMT"),
      Case("handler", path, "GET", "If-Modified-Since: Tue, 14 Nov 2000 22:00:00 GMT"),
      Case("handler", path, "GET", "Origin: https://a.example"),
      Case("handler", path, "GET", "Origin: https://b.example"),
      Case("handler", path, "GET", "DPR: 1.7", "Save-Data: on"),
      Case("handler", path, "GET", "X-Request-ID: mine-7"),
      Case("handler", path, "GET", "X-Request-ID: not a name"),
      Case("handler", "http://localhost" + path),
      // The long way.
      Case("routes", path, "GET", "Range: bytes=1-2"),
      Case("routes", path, "HEAD", "Range: bytes=1-2"),
      Case("routes", path, "GET", "Range: bytes=1-2", "If-Range: \"<100>\""),
      Case("routes", path, "GET", "Content-Length: 0"),
      Case("routes", path, "GET", "Expect: 100-continue"),
      Case("routes", path, "GET", "Connection: keep-alive, TE"),
      Case("routes", path + "?a=1"),
      Case("routes", ImageURL.signed([ImageOption("w", "7")])),
      Case(nil, path, "OPTIONS"),
      Case(nil, path, "POST"),
      Case(nil, path + "x"),
      Case(nil, "/unsafe" + path.dropFirst(1).drop { $0 != "/" }),
      Case(nil, "/unsafe/plain/"),
    ]

    private static let settings: [String: AnswerSettings] = {
      var choosy = AnswerSettings()
      choosy.clientHints = [.dpr, .saveData]
      choosy.allowedOrigins = .only(["https://a.example"])
      choosy.staleWhileRevalidate = 60
      choosy.isAttachment = true
      var quiet = AnswerSettings()
      quiet.offeredFormats = []
      quiet.allowedOrigins = .none
      quiet.allowsEmbedding = false
      return ["default": AnswerSettings(), "choosy": choosy, "quiet": quiet]
    }()

    @Test("The fast path sends the same bytes as the router", arguments: cases, settings.keys.sorted())
    func sameAnswers(_ example: Case, _ settings: String) async throws {
      let settings = try #require(Self.settings[settings])
      var answers: [String] = []
      for isShort in [true, false] {
        let renditions = RenditionsInMemory()
        let answer = try await withServer(renditions, isShort: isShort, settings: settings) { server in
          _ = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
          #expect(renditions.log.entries == ["routes"])
          return try await RawClient.exchange(server.port, example.request, Self.last)
        }
        let finder = isShort ? example.finder : example.finder.map { _ in "routes" }
        #expect(renditions.log.entries.dropFirst() == (finder.map { [$0] } ?? [])[...])
        answers.append(answer)
      }
      #expect(steady(answers[0]) == steady(answers[1]))
      #expect(answers[0].hasPrefix("HTTP/1.1 "))
    }

    /// Without what is another in each answer: the moment, and names that were drawn.
    private func steady(_ answer: String) -> [String] {
      lines(answer).map { line in
        if line.hasPrefix("Date: ") { return "Date" }
        return line.hasPrefix("X-Request-ID: ") && line != "X-Request-ID: mine-7" ? "X-Request-ID" : line
      }
    }

    private func lines(_ answer: String) -> [String] { answer.components(separatedBy: "\r\n") }

    @Test("A response of the fast path has a request ID and a date")
    func namesAndMoments() async throws {
      try await withServer(RenditionsInMemory()) { server in
        let request = RawClient.request(Self.path)
        _ = try await RawClient.exchange(server.port, request, Self.last)
        let answer = try await RawClient.exchange(server.port, request, request, Self.last)
        let names = lines(answer).filter { $0.hasPrefix("X-Request-ID: ") && $0.utf8.count == 30 }
        #expect(names.count == 3 && Set(names).count == 3)
        // By the clock of the routes, which is not Hummingbird's.
        #expect(lines(answer).count { $0 == "Date: Tue, 14 Nov 2023 22:13:20 GMT" } == 2)
      }
    }

    @Test("Pipelined requests are answered in order, whichever path each takes")
    func pipelined() async throws {
      try await withServer(renditions) { server in
        let paths = (1...40).map { ImageURL.signed([ImageOption("w", "\($0)")]) }
        _ = try await RawClient.exchange(
          server.port, paths.map { RawClient.request($0) }.joined(), Self.last)
        let requests = paths.enumerated().map { index, path in
          RawClient.request(index % 7 == 5 ? path + "?long" : path)
        }
        let answers = try await RawClient.exchange(server.port, requests.joined(), Self.last)
        #expect(bodies(answers) == (1...40).map { "<\($0)>" })
        #expect(renditions.log.entries.dropFirst(40).first == "handler")
      }
    }

    /// The bodies of images.
    private func bodies(_ answers: String) -> [String] {
      answers.components(separatedBy: "HTTP/1.1 200 OK\r\n").compactMap { answer in
        answer.components(separatedBy: "\r\n\r\n").last.flatMap { $0.hasPrefix("<") ? $0 : nil }
      }
    }

    @Test("A hit is counted once in all metrics, and has a log entry")
    func counted() async throws {
      renditions.isKept = false
      var configuration = ImageServer.Configuration()
      configuration.sendsTiming = true
      try await withServer(renditions, configuration) { server in
        _ = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
        renditions.isKept = true
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let get = RawClient.request(
          Self.path,
          [
            "X-Request-ID: hit", "User-Agent: test/1", "X-Forwarded-For: 192.0.2.1",
            "traceparent: 00-\(trace)-00f067aa0ba902b7-01",
          ])
        let answers = try await RawClient.exchange(
          server.port, get, get, RawClient.request(Self.path, method: "HEAD"),
          RawClient.request(Self.path, ["If-None-Match: \"<100>\""]), Self.last)
        #expect(renditions.log.entries == ["made", "handler", "handler", "handler", "handler"])
        #expect(answers.matches(of: /Server-Timing: cache;desc=memory, .*total;dur=/).count == 4)
        let metrics = server.server.metrics.text()
        for line in [
          "nuke_renditions_total{origin=\"made\"} 1", "nuke_renditions_total{origin=\"memory\"} 4",
          "nuke_rendition_duration_seconds_count{origin=\"memory\"} 4",
          "nuke_http_requests_total{method=\"GET\",route=\"image\",status=\"200\"} 3",
          "nuke_http_requests_total{method=\"HEAD\",route=\"image\",status=\"200\"} 1",
          "nuke_http_requests_total{method=\"GET\",route=\"image\",status=\"304\"} 1",
          "nuke_http_request_duration_seconds_count{route=\"image\"} 5",
          "nuke_http_response_start_seconds_count{route=\"image\"} 5", "nuke_http_requests_active 0",
          "nuke_http_response_bytes_total 27",
        ] {
          #expect(metrics.contains(line + "\n"), "\(line)")
        }
        let figures = server.server.statistics.snapshot
        #expect(figures.requests == 5 && figures.memoryHits == 4 && figures.made == 1)
        #expect(figures.activeRequests == 0 && figures.failures == 0 && figures.bytesSent == 15)
        let lines = server.lines.all.filter { $0.contains(#""cache":"memory""#) }
        #expect(lines.count == 4)
        let line = try #require(lines.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "request" && object["level"] as? String == "info")
        #expect(object["request"] as? String == "hit" && object["status"] as? Int == 200)
        #expect(object["path"] as? String == "/-/w:100/plain/https://example.com/cat.jpg")
        #expect(object["method"] as? String == "GET" && object["bytes"] as? Int == 5)
        #expect(object["client"] as? String == "127.0.0.1" && object["agent"] as? String == "test/1")
        #expect(object["forwarded"] as? String == "192.0.2.1" && object["trace"] as? String == trace)
        #expect(object["source"] as? String == "example.com" && object["type"] as? String == "image/webp")
      }
    }

    @Test("An evicted image takes the router's path, and later the fast path again")
    func forgotten() async throws {
      try await withServer(renditions) { server in
        for isKept in [true, true, false, true] {
          renditions.isKept = isKept
          let answer = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
          #expect(bodies(answer) == ["<100>"])
        }
        #expect(renditions.log.entries == ["routes", "handler", "made", "handler"])
      }
    }

    @Test("An expired URL is rejected on both paths, and caches get its expiration")
    func expired() async throws {
      let path = ImageURL.signed([ImageOption("exp", "\(ImageRoutes.now + 10)")])
      let moment = Lock(ImageRoutes.now)
      try await withServer(renditions, now: { moment.withLock { $0 } }) { server in
        for (second, age) in [(0, "10"), (3, "7"), (9, "1")] {
          moment.withLock { $0 = ImageRoutes.now + second }
          let answer = try await RawClient.exchange(server.port, RawClient.request(path), Self.last)
          #expect(answer.contains("Cache-Control: public, max-age=\(age)\r\n"))
        }
        moment.withLock { $0 = ImageRoutes.now + 10 }
        let answer = try await RawClient.exchange(server.port, RawClient.request(path), Self.last)
        #expect(answer.hasPrefix("HTTP/1.1 404 "))
        #expect(renditions.log.entries == ["routes", "handler", "handler"])
      }
    }

    @Test("A request without a Host field is rejected, also for an image in memory")
    func hostless() async throws {
      try await withServer(renditions) { server in
        _ = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
        let answer = try await RawClient.exchange(server.port, "GET \(Self.path) HTTP/1.1\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("\r\n\r\n\(InvalidRequest.host.message)\n"))
        #expect(renditions.log.entries.count == 1)
        #expect(server.lines.all.contains { $0.contains(InvalidRequest.host.message) })
      }
    }

    @Test(
      "A body whose end is not known is rejected with one response",
      arguments: ["xchunked", "gzip", "identity", "\"chunked\"", "chunked;q=1", "chunked, gzip"])
    func transferCoding(_ coding: String) async throws {
      try await withServer(renditions) { server in
        let answer = try await RawClient.exchange(
          server.port,
          "GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \(coding)\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(renditions.log.entries.isEmpty)
      }
    }

    @Test("The connection closes after a request for another protocol, instead of reading no more requests")
    func otherProtocol() async throws {
      try await withServer(renditions) { server in
        for fields in [
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk", "Upgrade: websocket",
        ] {
          // Comes back since the server has closed.
          let answer = try await RawClient.exchange(
            server.port, "GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
          #expect(answer.hasPrefix("HTTP/1.1 200 "))
          #expect(bodies(answer) == ["<100>"])
        }
      }
    }

    @Test("A server shuts down although a client keeps its connection open after a hit")
    func shutdown() async throws {
      let client = try await withServer(renditions) { server in
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
          try await client.send(RawClient.request(Self.path))
          _ = try await client.receive(until: "\r\n\r\n<100>")
        }
        return client
      }
      // Comes back since the server has closed.
      _ = try await client.receive()
      #expect(renditions.log.entries == ["routes", "handler"])
    }

    @Test("While the server drains, hits are served, and announce that their connection closes")
    func draining() async throws {
      try await withServer(renditions) { server in
        _ = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
        server.server.state.stopping()
        let client = try RawClient(port: server.port)
        try await client.send(RawClient.request(Self.path))
        // Comes back since the server has closed.
        let answer = try await client.receive()
        #expect(answer.contains("Connection: close\r\n") && bodies(answer) == ["<100>"], "\(answer)")
        #expect(renditions.log.entries.last == "handler")
      }
    }

    @Test("With a tracer, a hit has the span of its request, with the same attributes on both paths")
    func traced() async throws {
      let tracer = InMemoryTracer()
      try await withServer(renditions, tracer: tracer) { server in
        for _ in 0..<2 {
          _ = try await RawClient.exchange(server.port, RawClient.request(Self.path), Self.last)
        }
      }
      #expect(renditions.log.entries == ["routes", "handler"])
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["GET image", "GET image"])
      var attributes = spans.map(\.attributes)
      for index in attributes.indices { attributes[index].set("nuke.request", value: nil) }
      #expect(attributes.count == 2 && attributes[0] == attributes[1])
      #expect(attributes[0].get("url.path") == .string("/-/w:100/plain/https://example.com/cat.jpg"))
      #expect(tracer.activeSpans.isEmpty)
    }
  }
#endif
