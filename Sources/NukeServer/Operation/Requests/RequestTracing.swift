#if Server
  import Tracing

  /// Spans, where an instrument is set up that hears of them.
  enum RequestTracing {
    static var isOn: Bool { !(InstrumentationSystem.instrument is NoOpInstrument) }

    /// Runs `body` in the context of a span.
    static func within<Value: Sendable>(_ span: (any Span)?, _ body: () async -> Value) async -> Value {
      guard let span else { return await body() }
      return await ServiceContext.$current.withValue(span.context) { await body() }
    }
  }
#endif
