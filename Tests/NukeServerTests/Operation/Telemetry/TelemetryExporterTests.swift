#if Server
  import CoreMetrics
  import Foundation
  import NukeBase
  import NukeOrigin
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("The export to a collector", .timeLimit(.minutes(1)))
  struct TelemetryExporterTests {
    private let reports = CallLog()

    /// An exporter that sends each span at once.
    private func exporter(
      _ collector: Collector, headers: [String: String] = [:], registry: PrometheusRegistry = PrometheusRegistry(),
      _ configure: (inout ExportSchedule.Limits) -> Void = { _ in }
    ) -> TelemetryExporter {
      var limits = ExportSchedule.Limits()
      limits.delay = 0
      configure(&limits)
      return TelemetryExporter(
        OTLPClient(endpoint: collector.endpoint, headers: headers, timeLimit: 30), resource: ["service.name": "test"],
        registry: registry, limits: limits, report: { [reports] in reports.append($0) })
    }

    private func counts(_ exporter: TelemetryExporter) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: exporter.metrics.map { ($0.name, $0.number ?? -1) })
    }

    @Test("Spans arrive with the fields of the configuration, and the exporter ends")
    func spans() async throws {
      let collector = try Collector()
      defer { collector.origin.stop() }
      let exporter = exporter(collector, headers: ["X-Key": "a=b, c", "Content-Type": "text/plain"])
      exporter.begin()
      exporter.add(.test("a"))
      #expect(try await collector.spans(named: "a").count == 1)
      await exporter.end(seconds: 30)
      let request = try #require(collector.origin.log.requests.first)
      #expect(request.method == "POST" && request.path == "/v1/traces")
      #expect(request.header("Content-Type") == "application/json" && request.header("X-Key") == "a=b, c")
      #expect(request.header("Accept") == "application/json")
      #expect(
        counts(exporter) == [
          "nuke_telemetry_spans_exported_total": 1, "nuke_telemetry_spans_dropped_total": 0,
          "nuke_telemetry_export_failures_total": 0, "nuke_telemetry_spans_waiting": 0,
        ])
      #expect(reports.entries.isEmpty)
    }

    @Test("At the end, everything that waits is sent in batches, and then the metrics")
    func flush() async throws {
      let collector = try Collector()
      defer { collector.origin.stop() }
      let registry = PrometheusRegistry()
      Counter(label: "n_total", factory: registry).increment(by: 3)
      let exporter = exporter(collector, registry: registry) {
        ($0.delay, $0.batch, $0.metricsInterval) = (3600, 2, 3600)
      }
      exporter.begin()
      for name in ["a", "b", "c"] { exporter.add(.test(name)) }
      try await collector.origin.waitUntil { $0.requests.count == 1 }
      #expect(try collector.spans.map(\.name) == ["a", "b"])
      await exporter.end(seconds: 30)
      #expect(try collector.spans.map(\.name) == ["a", "b", "c"])
      #expect(collector.origin.log.requests.map(\.path) == ["/v1/traces", "/v1/traces", "/v1/metrics"])
      let metric = try #require(try await collector.metrics(with: "n_total")["n_total"])
      #expect(metric.sum?.dataPoints.map(\.asDouble) == [3] && metric.sum?.isMonotonic == true)
    }

    @Test("After 503 with Retry-After, the same spans are sent again", arguments: [429, 502, 503, 504])
    func retry(status: Int) async throws {
      let collector = try Collector { number in
        guard number == 0 else { return .data(Data("{}".utf8)) }
        return NukeOrigin.Response(status: status, headers: [("Retry-After", "0")])
      }
      defer { collector.origin.stop() }
      let exporter = exporter(collector) { $0.requestedPauses = 0...1 }
      exporter.begin()
      exporter.add(.test("a"))
      try await collector.origin.waitUntil { $0.requests.count == 2 }
      await exporter.end(seconds: 30)
      #expect(try collector.spans.map(\.name) == ["a", "a"])
      let counts = counts(exporter)
      #expect(counts["nuke_telemetry_spans_exported_total"] == 1 && counts["nuke_telemetry_export_failures_total"] == 1)
      #expect(
        reports.entries == ["Traces and metrics are not exported: The collector answered with status \(status)."])
    }

    @Test("A collector that asks for a pause is left alone until the end, when its failure is final")
    func pause() async throws {
      let collector = try Collector { _ in NukeOrigin.Response(status: 503, headers: [("Retry-After", "3600")]) }
      defer { collector.origin.stop() }
      let exporter = exporter(collector)
      exporter.begin()
      exporter.add(.test("a"))
      try await collector.origin.waitUntil { $0.responsesCompleted == 1 }
      await exporter.end(seconds: 30)
      #expect((1...2).contains(collector.origin.log.requests.count))
      #expect(counts(exporter)["nuke_telemetry_spans_dropped_total"] == 1)
      #expect(reports.entries.count == 1)
    }

    @Test(
      "Spans that are refused are dropped, and the reason is reported until an export succeeds",
      arguments: [400, 401, 404, 302, 500])
    func refused(status: Int) async throws {
      let collector = try Collector { $0 == 2 ? .data(Data("{}".utf8)) : .status(status) }
      defer { collector.origin.stop() }
      let exporter = exporter(collector)
      exporter.begin()
      for count in 1...4 {
        exporter.add(.test("\(count)"))
        try await collector.origin.waitUntil { $0.requests.count == count }
      }
      await exporter.end(seconds: 30)
      #expect(try collector.spans.map(\.name) == ["1", "2", "3", "4"])
      let counts = counts(exporter)
      #expect(counts["nuke_telemetry_spans_exported_total"] == 1 && counts["nuke_telemetry_spans_dropped_total"] == 3)
      #expect(reports.entries.count == 2 && reports.entries.allSatisfy { $0.contains("\(status)") })
    }

    @Test(
      "Spans that the collector rejects are counted",
      arguments: [
        #"{"partialSuccess":{"rejectedSpans":"1","errorMessage":"old"}}"#, #"{"partialSuccess":{"rejectedSpans":1}}"#,
      ])
    func partial(answer: String) async throws {
      let collector = try Collector { _ in .data(Data(answer.utf8)) }
      defer { collector.origin.stop() }
      let exporter = exporter(collector) { $0.batch = 2 }
      for name in ["a", "b"] { exporter.add(.test(name)) }
      exporter.begin()
      await exporter.end(seconds: 30)
      let counts = counts(exporter)
      #expect(counts["nuke_telemetry_spans_exported_total"] == 1 && counts["nuke_telemetry_spans_dropped_total"] == 1)
      #expect(reports.entries.first?.contains("rejected 1 spans") == true)
    }

    @Test("A full queue drops spans, which is reported once, and nobody waits for the collector")
    func drops() async throws {
      let gate = ScriptGate()
      let collector = try Collector { _ in NukeOrigin.Response.data(Data("{}".utf8)).held(by: gate) }
      defer { collector.origin.stop() }
      let exporter = exporter(collector) { ($0.spans, $0.batch) = (2, 1) }
      exporter.begin()
      exporter.add(.test("a"))
      try await collector.origin.waitUntil { $0.requests.count == 1 }
      for name in ["b", "c", "d"] { exporter.add(.test(name)) }
      #expect(counts(exporter)["nuke_telemetry_spans_dropped_total"] == 2)
      #expect(counts(exporter)["nuke_telemetry_spans_waiting"] == 2)
      gate.open()
      await exporter.end(seconds: 30)
      #expect(try collector.spans.map(\.name) == ["a", "b"])
      #expect(reports.entries.count == 1 && reports.entries[0].contains("Spans are dropped"))
    }

    @Test("A collector that does not answer holds up the end only for its time limit")
    func stalled() async throws {
      let collector = try Collector { _ in NukeOrigin.Response().scripted(.stall) }
      defer { collector.origin.stop() }
      let exporter = exporter(collector)
      exporter.begin()
      exporter.add(.test("a"))
      try await collector.origin.waitUntil { $0.requests.count == 1 }
      let start = ContinuousClock.now
      await exporter.end(seconds: 0.1)
      #expect(start.duration(to: .now) < .seconds(20))
      // The request is canceled.
      try await collector.origin.waitUntil { $0.connectionsOpen == 0 }
    }

    @Test("A collector that cannot be reached costs only the spans")
    func unreachable() async throws {
      let port = try RefusingPort()
      let exporter = TelemetryExporter(
        OTLPClient(endpoint: port.url(""), headers: [:], timeLimit: 30), resource: [:], registry: PrometheusRegistry(),
        report: { [reports] in reports.append($0) })
      exporter.add(.test("a"))
      exporter.begin()
      await exporter.end(seconds: 30)
      #expect(counts(exporter)["nuke_telemetry_spans_dropped_total"] == 1)
      #expect(reports.entries.count == 1 && reports.entries[0].contains("127.0.0.1"))
    }

    @Test("An exporter that was never started ends at once")
    func idle() async throws {
      let collector = try Collector()
      defer { collector.origin.stop() }
      let exporter = exporter(collector)
      exporter.add(.test("a"))
      await exporter.end(seconds: 3600)
      #expect(collector.origin.log.requests.isEmpty)
    }
  }
#endif
