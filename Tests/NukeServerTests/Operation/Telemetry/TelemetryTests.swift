#if Server
  import Foundation
  import Logging
  import Nuke
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("A server with a collector", .timeLimit(.minutes(2)))
  struct TelemetryTests {
    private static let traceID = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = ["traceparent": "00-\(traceID)-b7ad6b7169203331-01", "tracestate": "a=1"]
    private static let image = SampleImage.png(width: 400, height: 300)

    /// Runs a server that exports to a collector, and shuts it down.
    private func withServer(
      _ collector: Collector, _ configure: (inout ImageServer.Configuration) -> Void = { _ in },
      _ body: (RunningServer) async throws -> Void
    ) async throws {
      var configuration = ImageServer.Configuration.ofLoopback
      configuration.otlpEndpoint = collector.endpoint
      configuration.otlpMetricsInterval = 0
      configure(&configuration)
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let registry = PrometheusRegistry()
      let telemetry = try #require(configuration.telemetry(metrics: registry, logger: logger))
      var dependencies = try ServerDependencies(
        configuration, metrics: registry, tracer: telemetry.tracer, logger: logger)
      dependencies.export(by: telemetry.exporter)
      let server = try await RunningServer(
        configuration, dependencies: dependencies, metrics: registry, tracer: telemetry.tracer)
      let result: Result<Void, any Error>
      do { result = .success(try await body(server)) } catch { result = .failure(error) }
      try await server.stop()
      try result.get()
    }

    /// Expects that no span was exported twice, and that every parent was exported, too: it has ended.
    private func expectComplete(_ spans: [Collector.Span], parents: Set<String> = []) {
      let ids = spans.map(\.spanId)
      #expect(Set(ids).count == ids.count)
      for span in spans {
        guard let parent = span.parentSpanId else { continue }
        #expect(ids.contains(parent) || parents.contains(parent), "\(span.name)")
      }
    }

    /// Returns the span in which the source was loaded.
    private func load(_ spans: [Collector.Span]) throws -> Collector.Span {
      let data = try #require(spans.first { $0.name == "nuke.data" })
      return try #require(spans.first { $0.name == "nuke.load" && $0.parentSpanId == data.spanId })
    }

    @Test("A miss has a span for each stage, and its source receives the trace of the span that waits for it")
    func miss() async throws {
      let collector = try Collector()
      let origin = try NukeOrigin { _ in .data(Self.image) }
      defer {
        collector.origin.stop()
        origin.stop()
      }
      try await withServer(collector) { server in
        let path = "/unsafe/rs:fit:40/plain/" + origin.url("/a.png%3Ftoken=secret").absoluteString
        let answer = try await server.get(path + "?query=secret", fields: Self.parent)
        #expect(answer.status == 200)
        let line = try #require(server.lines.all.first { $0.contains("\"status\":200") })
        #expect(line.contains(Self.traceID))
      }
      let spans = try collector.spans
      expectComplete(spans, parents: ["b7ad6b7169203331"])
      #expect(spans.allSatisfy { $0.traceId == Self.traceID && $0.traceState == "a=1" })
      let request = try #require(spans.first { $0.name == "GET image" })
      #expect(request.kind == 2 && request.parentSpanId == "b7ad6b7169203331")
      #expect(request["http.request.method"] == "GET" && request["http.response.status_code"] == "200")
      #expect(request["url.scheme"] == "http" && request["server.address"] == "127.0.0.1")
      #expect(request["nuke.origin"] == "made" && request["http.route"] == "image")
      #expect(request["server.port"].flatMap { Int($0) } != nil && request["client.address"] == "127.0.0.1")
      #expect(request["url.path"]?.hasPrefix("/unsafe/rs:fit:40/plain/") == true)
      for name in ["rendition", "wait", "data", "image", "decode", "process", "encode"] {
        #expect(spans.filter { $0.name == "nuke.\(name)" }.count == 1, "\(name)")
      }
      let load = try load(spans)
      #expect(load.kind == 3)
      let sent = try #require(origin.log.requests.first)
      #expect(sent.header("traceparent") == "00-\(Self.traceID)-\(load.spanId)-01")
      #expect(sent.header("tracestate") == "a=1")
      #expect(!collector.origin.log.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("secret") })
    }

    @Test("A hit in memory has the span of its request if the client's trace is recorded, and otherwise none")
    func hits() async throws {
      let collector = try Collector()
      let origin = try NukeOrigin { _ in .data(Self.image) }
      defer {
        collector.origin.stop()
        origin.stop()
      }
      try await withServer(collector, { $0.traceRatio = 0 }) { server in
        let path = "/unsafe/rs:fit:40/plain/" + origin.url("/a.png").absoluteString
        let unsampled = ["traceparent": "00-\(Self.traceID)-b7ad6b7169203331-00"]
        for fields in [[:], [:], Self.parent, unsampled, Self.parent] {
          let answer = try await server.get(path, fields: fields)
          #expect(answer.status == 200)
        }
        let health = try await server.get("/health", fields: Self.parent)
        #expect(health.status == 200)
        #expect(server.server.statistics.snapshot.memoryHits == 4)
      }
      let spans = try collector.spans
      expectComplete(spans, parents: ["b7ad6b7169203331"])
      #expect(spans.map(\.name) == ["GET image", "GET image"])
      #expect(spans.allSatisfy { $0["nuke.origin"] == "memory" && $0["http.response.status_code"] == "200" })
      #expect(spans.allSatisfy { $0["url.path"]?.hasPrefix("/unsafe/rs:fit:40/plain/") == true })
      // The source was loaded for a trace that is not recorded.
      #expect(origin.log.requests.map { $0.header("traceparent")?.hasSuffix("-00") } == [true])
    }

    @Test("Without propagation, the source receives no trace")
    func privately() async throws {
      let collector = try Collector()
      let origin = try NukeOrigin { _ in .data(Self.image) }
      defer {
        collector.origin.stop()
        origin.stop()
      }
      try await withServer(collector, { $0.propagatesTraces = false }) { server in
        let path = "/unsafe/rs:fit:40/plain/" + origin.url("/a.png").absoluteString
        let answer = try await server.get(path, fields: Self.parent)
        #expect(answer.status == 200)
      }
      #expect(try collector.spans.contains { $0.name == "nuke.load" && $0.traceId == Self.traceID })
      #expect(origin.log.requests.map { $0.header("traceparent") ?? $0.header("tracestate") } == [nil])
    }

    @Test("The spans of a request whose client leaves end, each once")
    func canceled() async throws {
      let collector = try Collector()
      let origin = try NukeOrigin { _ in NukeOrigin.Response.data(Self.image).scripted(.head, .stall) }
      defer {
        collector.origin.stop()
        origin.stop()
      }
      try await withServer(collector) { server in
        do {
          let client = try RawClient(port: server.port)
          try await client.send(
            RawClient.request("/unsafe/rs:fit:40/plain/" + origin.url("/a.png").absoluteString))
          try await origin.waitUntil { $0.requests.count == 1 }
        }
        // The client has disconnected, and the source is not needed.
        try await origin.waitUntil { $0.closedEarly == 1 }
      }
      let spans = try collector.spans
      expectComplete(spans)
      for name in ["GET image", "nuke.rendition", "nuke.data", "nuke.load"] {
        #expect(spans.filter { $0.name == name }.count == 1, "\(name)")
      }
    }

    @Test("A failed source is an error of the request's span")
    func failure() async throws {
      let collector = try Collector()
      let origin = try NukeOrigin { _ in .status(500) }
      defer {
        collector.origin.stop()
        origin.stop()
      }
      try await withServer(collector) { server in
        let path = "/unsafe/rs:fit:40/plain/" + origin.url("/a.png").absoluteString
        let answer = try await server.get(path)
        #expect(answer.status == 502)
      }
      let spans = try collector.spans
      expectComplete(spans)
      let request = try #require(spans.first { $0.name == "GET image" })
      #expect(request.parentSpanId == nil && request.status?.code == 2 && request["error.type"] == "502")
      #expect(spans.first { $0.name == "nuke.load" }?.status?.code == 2)
    }

    @Test("Sources in S3 receive the trace, and looking for results there has a span")
    func store() async throws {
      let collector = try Collector()
      let store = try NukeOrigin { $0.path == "/sources/a.png" ? .data(Self.image) : .status(404) }
      defer {
        collector.origin.stop()
        store.stop()
      }
      try await withServer(
        collector,
        {
          ($0.s3Endpoint, $0.s3AccessKey, $0.s3SecretKey) = (store.url("").absoluteString, "key", "secret")
          ($0.allowedSources, $0.s3Cache) = (["s3://sources/"], "results")
        }
      ) { server in
        let answer = try await server.get("/unsafe/rs:fit:40/plain/s3://sources/a.png", fields: Self.parent)
        #expect(answer.status == 200)
      }
      let spans = try collector.spans
      expectComplete(spans, parents: ["b7ad6b7169203331"])
      let load = try load(spans)
      let sent = try #require(store.log.requests(to: "/sources/a.png").first)
      #expect(sent.header("traceparent") == "00-\(Self.traceID)-\(load.spanId)-01")
      #expect(sent.header("tracestate") == "a=1")
      #expect(sent.header("Authorization")?.contains("traceparent") == true)
      let lookUp = try #require(spans.first { $0.name == "nuke.store.s3" })
      #expect(lookUp.kind == 3 && lookUp["db.system.name"] == "s3")
      #expect(lookUp.parentSpanId == spans.first { $0.name == "nuke.rendition" }?.spanId)
    }

    @Test("The metrics of the server are exported, with the resource of the configuration")
    func metrics() async throws {
      let collector = try Collector()
      defer { collector.origin.stop() }
      try await withServer(
        collector,
        {
          $0.otlpMetricsInterval = 3600
          $0.otlpAttributes = ["service.name": "other", "deployment.environment.name": "test"]
          $0.otlpServiceName = "images"
          $0.otlpHeaders = ["X-Key": "k"]
        }
      ) { server in
        let answer = try await server.get("/unsafe/x")
        #expect(answer.status == 400)
      }
      let metrics = try await collector.metrics(with: "nuke_http_requests_total")
      #expect(metrics["nuke_http_requests_total"]?.sum?.dataPoints.map(\.asDouble) == [1])
      #expect(metrics["nuke_http_requests_active"]?.gauge?.dataPoints.map(\.asDouble) == [0])
      #expect(metrics["nuke_http_request_duration_seconds"]?.histogram?.dataPoints.contains { $0.count == "1" } == true)
      #expect(metrics["nuke_telemetry_spans_exported_total"]?.sum?.dataPoints.map(\.asDouble) == [1])
      let requests = collector.origin.log.requests
      #expect(requests.map(\.path) == ["/v1/traces", "/v1/metrics"])
      #expect(requests.allSatisfy { $0.header("X-Key") == "k" })
      for resource in try collector.resources {
        #expect(resource["service.name"] == "images" && resource["deployment.environment.name"] == "test")
        #expect(resource["service.version"] == PackageVersion.current && resource["service.instance.id"] != nil)
      }
    }

    @Test("Without an endpoint, nothing is exported")
    func off() {
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      #expect(ImageServer.Configuration().telemetry(metrics: PrometheusRegistry(), logger: logger) == nil)
    }
  }
#endif
