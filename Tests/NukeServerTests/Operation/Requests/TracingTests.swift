#if Server
  import Foundation
  import InMemoryTracing
  import Logging
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("Tracing", .timeLimit(.minutes(1)))
  struct TracingTests {
    private let tracer = TraceparentTracer()
    private let store = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-\(UUID().uuidString)")

    /// Serves one image of an origin's, and returns when all that came of it is over.
    private func serve(_ path: String, fields: [String: String], times: Int = 1) async throws -> (
      NukeOrigin.Log, [String]
    ) {
      defer { try? FileManager.default.removeItem(at: store) }
      let image = SampleImage.png(width: 400, height: 300)
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      var configuration = ImageServer.Configuration.ofLoopback
      configuration.diskCache = store.path
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let dependencies = try ServerDependencies(
        configuration, metrics: PrometheusRegistry(), tracer: tracer, logger: logger)
      let server = try await RunningServer(configuration, dependencies: dependencies, tracer: tracer)
      var timings: [String] = []
      for _ in 0..<times {
        let answer = try await server.get(path + origin.url("/a.png").absoluteString, fields: fields)
        #expect(answer.status == 200)
        timings.append(answer.fields["Server-Timing"] ?? "")
      }
      try await server.stop()
      return (origin.log, timings)
    }

    private func span(_ name: String) throws -> FinishedInMemorySpan {
      try #require(tracer.finished.first { $0.operationName == name }, "\(name)")
    }

    @Test("A miss has a span for each stage, which are children of the request's span and the client's trace")
    func miss() async throws {
      let trace = "0af7651916cd43dd8448eb211c80319c"
      let (log, timings) = try await serve(
        "/unsafe/rs:fit:40/plain/", fields: ["traceparent": "00-\(trace)-b7ad6b7169203331-01"])
      let request = try span("GET image")
      #expect(request.parentSpanID == "b7ad6b7169203331" && request.kind == .server)
      let rendition = try span("nuke.rendition")
      #expect(rendition.parentSpanID == request.spanID)
      for stage in ["store", "wait", "encode", "write", "data", "image"] {
        #expect(try span("nuke.\(stage)").parentSpanID == rendition.spanID, "\(stage)")
      }
      let load = try #require(tracer.finished.first { $0.parentSpanID == (try? span("nuke.data"))?.spanID })
      #expect(load.operationName == "nuke.load" && load.kind == .client)
      for stage in ["decode", "process"] {
        #expect(try span("nuke.\(stage)").parentSpanID == span("nuke.image").spanID, "\(stage)")
      }
      #expect(tracer.finished.allSatisfy { $0.traceID == trace })
      #expect(tracer.spans.activeSpans.isEmpty)
      // The source hears of the span that waits for it.
      #expect(log.requests.map { $0.header("traceparent") } == ["00-\(trace)-\(load.spanID)-01"])
      // In the order in which they ended; what took no time is left out.
      let stages = timings[0].split(separator: ", ").compactMap { $0.split(separator: ";").first.map(String.init) }
      let order = ["cache", "store", "queued", "load", "wait", "decode", "process", "encode", "rendition", "total"]
      #expect(stages == order.filter { $0 != "queued" || stages.contains($0) })
    }

    @Test("The span of a stage ends with the stage, and has its duration")
    func times() async throws {
      _ = try await serve("/unsafe/rs:fit:40/plain/", fields: [:])
      let (rendition, encode) = (try span("nuke.rendition"), try span("nuke.encode"))
      let start = encode.startInstant.nanosecondsSinceEpoch
      let end = encode.endInstant.nanosecondsSinceEpoch
      #expect(start <= end && end <= rendition.endInstant.nanosecondsSinceEpoch)
      #expect(try start >= span("nuke.image").startInstant.nanosecondsSinceEpoch)
    }

    @Test("A memory hit has no span for a stage")
    func hit() async throws {
      _ = try await serve("/unsafe/rs:fit:40/plain/", fields: [:], times: 2)
      let second = try #require(tracer.finished.last { $0.operationName == "GET image" })
      let below = tracer.finished.filter { $0.traceID == second.traceID && $0.spanID != second.spanID }
      #expect(below.allSatisfy { $0.operationName == "nuke.rendition" })
    }
  }
#endif
