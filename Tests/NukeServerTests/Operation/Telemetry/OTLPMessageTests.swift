#if Server
  import CoreMetrics
  import Foundation
  import Testing
  import Tracing

  @testable import NukeServer

  /// The expected texts were written by hand, after the specification of OTLP 1 and its examples.
  @Suite("Messages in the JSON encoding of OTLP")
  struct OTLPMessageTests {
    private let resource = OTLPMessage.Resource(["service.name": "a \"b\"\\\n\u{1}é🌍"])

    private func encoded(_ message: some Encodable) throws -> NSObject {
      let encoder = JSONEncoder()
      return try #require(try JSONSerialization.jsonObject(with: try encoder.encode(message)) as? NSObject)
    }

    private func expected(_ json: String) throws -> NSObject {
      try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject)
    }

    @Test("A span has IDs in hexadecimal, times as strings, and attributes of all types")
    func span() throws {
      let ended = EndedSpans()
      let tracer = OTLPTracer(ratio: 1, random: { 0xab }, export: ended.add)
      var context = ServiceContext.topLevel
      context.trace = TraceContext(
        traceID: "0af7651916cd43dd8448eb211c80319c", spanID: "b7ad6b7169203331", isSampled: true, state: "a=1")
      let span = tracer.startSpan(
        "say \"x\"", context: context, ofKind: .client,
        at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_001))
      span.attributes = [
        "b": true, "d": 0.5, "i": 5, "l": .int64(9_007_199_254_740_993), "list": .stringArray(["x", "y"]),
        "s": "tab\t</script>",
      ]
      span.addEvent(
        SpanEvent(name: "e", at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 7), attributes: ["n": 1]))
      span.addLink(SpanLink(context: context, attributes: [:]))
      span.setStatus(SpanStatus(code: .error, message: "no"))
      // Before the start, as after a change of the clock.
      span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 5))
      #expect(
        try encoded(OTLPMessage.Traces(ended.spans, of: resource))
          == expected(
            #"""
            {"resourceSpans": [{
              "resource": {"attributes": [
                {"key": "service.name", "value": {"stringValue": "a \"b\"\\\n\u0001\u00e9\ud83c\udf0d"}}]},
              "scopeSpans": [{"scope": {"name": "nuke"}, "spans": [{
                "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "00000000000000ab",
                "parentSpanId": "b7ad6b7169203331", "traceState": "a=1", "name": "say \"x\"", "kind": 3,
                "startTimeUnixNano": "1700000000000000001", "endTimeUnixNano": "1700000000000000001",
                "attributes": [
                  {"key": "b", "value": {"boolValue": true}}, {"key": "d", "value": {"doubleValue": 0.5}},
                  {"key": "i", "value": {"intValue": "5"}}, {"key": "l", "value": {"intValue": "9007199254740993"}},
                  {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {"stringValue": "y"}]}}},
                  {"key": "s", "value": {"stringValue": "tab\t</script>"}}],
                "events": [{"timeUnixNano": "7", "name": "e", "attributes": [{"key": "n", "value": {"intValue": "1"}}]}],
                "links": [{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331",
                  "traceState": "a=1"}],
                "status": {"code": 2, "message": "no"}}]}]}]}
            """#))
    }

    @Test("Texts are cut off, and further details of a span are dropped")
    func limits() throws {
      let ended = EndedSpans()
      let span = OTLPTracer(ratio: 1, export: ended.add).startSpan("a")
      for number in 0..<100 {
        span.attributes["a\(number)"] = String(repeating: "x", count: 5000)
        span.addEvent("e")
        span.addLink(SpanLink(context: span.context, attributes: [:]))
      }
      span.end()
      let message = try #require(ended.spans.first.map(OTLPMessage.Span.init))
      #expect(message.attributes.count == 64 && message.events.count == 64 && message.links.count == 64)
      #expect(message.attributes.first?.value == .string(String(repeating: "x", count: 1024)))
    }

    @Test("Counters are cumulative sums, and timers are histograms")
    func metrics() throws {
      let registry = PrometheusRegistry()
      registry.describe("hits_total", "Hits.")
      Counter(label: "hits_total", dimensions: [("origin", "a\"b")], factory: registry).increment(by: 2)
      Gauge(label: "size_bytes", factory: registry).record(3)
      Timer(label: "wait_seconds", factory: registry).recordNanoseconds(2_000_000)
      Timer(label: "wait_seconds", factory: registry).recordNanoseconds(60_000_000_000)
      registry.collect { [CollectedMetric("none", .histogram, nil, [])] }
      let message = OTLPMessage.Metrics(registry.metrics, of: OTLPMessage.Resource([:]), start: 5, now: 9)
      #expect(
        try encoded(message)
          == expected(
            #"""
            {"resourceMetrics": [{"resource": {"attributes": []}, "scopeMetrics": [{"scope": {"name": "nuke"}, "metrics": [
              {"name": "hits_total", "description": "Hits.", "sum": {"aggregationTemporality": 2, "isMonotonic": true,
                "dataPoints": [{"attributes": [{"key": "origin", "value": {"stringValue": "a\"b"}}],
                  "startTimeUnixNano": "5", "timeUnixNano": "9", "asDouble": 2}]}},
              {"name": "none", "histogram": {"aggregationTemporality": 2, "dataPoints": []}},
              {"name": "size_bytes", "unit": "By", "gauge": {"dataPoints": [
                {"attributes": [], "timeUnixNano": "9", "asDouble": 3}]}},
              {"name": "wait_seconds", "unit": "s", "histogram": {"aggregationTemporality": 2, "dataPoints": [
                {"attributes": [], "startTimeUnixNano": "5", "timeUnixNano": "9", "count": "2", "sum": 60.002,
                  "bucketCounts": ["0", "0", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1"],
                  "explicitBounds": [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
                    30]}]}}]}]}]}
            """#))
    }
  }
#endif
