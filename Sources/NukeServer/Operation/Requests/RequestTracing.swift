#if Server
  import Tracing

  /// Spans, where a tracer hears of them.
  struct RequestTracing: Sendable {
    /// `nil` if none would be heard of.
    let tracer: (any Tracer)?

    init(_ tracer: any Tracer) { self.tracer = tracer is NoOpTracer ? nil : tracer }

    /// Runs `body` in the context of a span.
    static func within<Value: Sendable>(_ span: (any Span)?, _ body: () async -> Value) async -> Value {
      guard let span else { return await body() }
      return await ServiceContext.$current.withValue(span.context) { await body() }
    }
  }
#endif
