#if Server
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("The tracer of OpenTelemetry")
  struct OTLPTracerTests {
    private struct Fields: Extractor, Injector {
      func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
      func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    }

    private static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func context(_ tracer: OTLPTracer, _ fields: [String: String]) -> ServiceContext {
      var context = ServiceContext.topLevel
      tracer.extract(fields, into: &context, using: Fields())
      return context
    }

    private func fields(_ tracer: OTLPTracer, _ context: ServiceContext) -> [String: String] {
      var fields: [String: String] = [:]
      tracer.inject(context, into: &fields, using: Fields())
      return fields
    }

    @Test(
      "The parent decides which traces are recorded, and without a parent the ratio",
      arguments: [
        ("01", 0.0, true), ("00", 1, false), ("03", 0, true), ("02", 1, false), (nil, 1, true), (nil, 0, false),
        // A malformed parent is none.
        ("1", 1, true), ("1", 0, false),
      ] as [(String?, Double, Bool)])
    func sampling(flags: String?, ratio: Double, isSampled: Bool) throws {
      let ended = EndedSpans()
      let tracer = OTLPTracer(ratio: ratio, export: ended.add)
      let sent = flags.map { ["traceparent": "00-\(Self.traceID)-00f067aa0ba902b7-\($0)", "tracestate": "a=1,b=2"] }
      let span = tracer.startSpan("a", context: context(tracer, sent ?? [:]), ofKind: .server)
      #expect(span.isRecording == isSampled)
      let child = tracer.startSpan("b", context: span.context)
      let injected = fields(tracer, child.context)
      child.end()
      span.end()
      let spans = ended.spans
      #expect(spans.map(\.name) == (isSampled ? ["b", "a"] : []))
      let parts = try #require(injected["traceparent"]).split(separator: "-").map(String.init)
      #expect(parts.count == 4 && parts[0] == "00" && parts[3] == (isSampled ? "01" : "00"))
      let hasParent = flags?.count == 2
      #expect((parts[1] == Self.traceID) == hasParent)
      #expect(injected["tracestate"] == (hasParent ? "a=1,b=2" : nil))
      guard isSampled else { return }
      #expect(spans[1].parentID == (hasParent ? "00f067aa0ba902b7" : nil))
      #expect(spans[0].parentID == spans[1].trace.spanID && spans[0].trace.traceID == spans[1].trace.traceID)
      #expect(parts[2] == spans[0].trace.spanID && parts[1] == spans[0].trace.traceID)
    }

    @Test("The ratio compares the lower half of the trace ID, so that services agree")
    func ratio() {
      for (low, isSampled) in [(0, true), (UInt64.max / 4, true), (UInt64.max / 2 + 1, false), (.max, false)] {
        let tracer = OTLPTracer(ratio: 0.5, random: { low }, export: { _ in })
        #expect(tracer.startSpan("a").isRecording == isSampled, "\(low)")
      }
    }

    @Test("A span ends once, whatever comes after")
    func endsOnce() {
      let ended = EndedSpans()
      let tracer = OTLPTracer(ratio: 1, export: ended.add)
      let span = tracer.startSpan("a")
      span.attributes["x"] = 1
      span.end()
      #expect(!span.isRecording)
      span.attributes["y"] = 2
      span.addEvent("late")
      span.end()
      let spans = ended.spans
      #expect(spans.count == 1)
      #expect(spans.first?.attributes.count == 1 && spans.first?.events.isEmpty == true)
    }

    @Test("An error is an event with its type and its text")
    func errors() throws {
      let ended = EndedSpans()
      let tracer = OTLPTracer(ratio: 1, export: ended.add)
      let span = tracer.startSpan("a")
      span.recordError(ConfigurationError("x", "it is bad"))
      span.end()
      let event = try #require(ended.spans.first?.events.first)
      #expect(event.name == "exception")
      #expect(event.attributes.get("exception.type") == .string("NukeServer.ConfigurationError"))
      #expect(event.attributes.get("exception.message") == .string("x: it is bad"))
    }

    @Test("Without propagation, nothing is added to requests")
    func silent() {
      let tracer = OTLPTracer(ratio: 1, propagates: false) { _ in }
      #expect(fields(tracer, tracer.startSpan("a").context).isEmpty)
    }

    @Test(
      "The host and the port of a request are separated",
      arguments: [
        ("a.test", "a.test", nil), ("a.test:8080", "a.test", 8080), ("[::1]:1", "[::1]", 1), ("[::1]", "[::1]", nil),
        ("a:b", nil, nil), ("a:65536", nil, nil), ("", nil, nil), (String(repeating: "a", count: 256), nil, nil),
      ] as [(String, String?, Int?)])
    func authority(text: String, host: String?, port: Int?) {
      let parts = RequestTracing.hostAndPort(text)
      #expect(parts?.host == host && parts?.port == port)
    }
  }
#endif
