#if Server
  import InMemoryTracing
  import Tracing

  /// Keeps spans in memory, and tells others of them as W3C's Trace Context does, in one field.
  struct TraceparentTracer: Tracer {
    static let field = "traceparent"
    let spans = InMemoryTracer(recordInjections: false, recordExtractions: false)

    var finished: [FinishedInMemorySpan] { spans.finishedSpans }

    func startSpan<Instant: TracerInstant>(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
      spans.startSpan(
        operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
    }

    func activeSpan(identifiedBy context: ServiceContext) -> InMemorySpan? {
      spans.activeSpan(identifiedBy: context)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
      let parts = extractor.extract(key: Self.field, from: carrier)?.split(separator: "-").map(String.init) ?? []
      guard parts.count == 4 else { return }
      context.inMemorySpanContext = InMemorySpanContext(traceID: parts[1], spanID: parts[2], parentSpanID: nil)
    }

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      guard let span = context.inMemorySpanContext else { return }
      injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: Self.field, into: &carrier)
    }
  }
#endif
