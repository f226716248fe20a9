#if Server
  import NukeServing
  import Tracing

  /// A tracer whose finished spans are exported to an OpenTelemetry collector.
  ///
  /// A trace is recorded if its parent is. Without a parent, a share of the traces is recorded. Spans of other traces
  /// only pass on their context.
  struct OTLPTracer: Tracer {
    /// The share of the traces without a parent that are recorded, from 0 to 1.
    let ratio: Double
    /// `true` if requests to sources contain the trace context.
    var propagates = true
    var random: @Sendable () -> UInt64 = { UInt64.random(in: 1...UInt64.max) }
    /// Receives each recorded span once, when it ends.
    let export: @Sendable (FinishedSpan) -> Void

    func startSpan<Instant: TracerInstant>(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
      var context = context()
      let parent = context.trace
      var own = parent ?? root()
      // Spans that are not recorded need no IDs of their own.
      if parent != nil, own.isSampled { own.spanID = Self.digits(random()) }
      context.trace = own
      guard own.isSampled else { return OTLPSpan(context, named: operationName, recording: nil) }
      let span = FinishedSpan(
        trace: own, parentID: parent?.spanID, name: operationName, kind: kind, start: instant().nanosecondsSinceEpoch)
      return OTLPSpan(context, named: operationName, recording: SpanRecording(span, export))
    }

    func forceFlush() {}

    private func root() -> TraceContext {
      let (high, low) = (random(), random())
      return TraceContext(
        traceID: Self.digits(high) + Self.digits(low), spanID: Self.digits(random()),
        // Other services that decide by the same part of the ID record the same traces.
        isSampled: Double(low >> 11) * 0x1p-53 < ratio)
    }

    /// Returns 16 hexadecimal digits.
    private static func digits(_ number: UInt64) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }

    // MARK: Propagation

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
      guard let text = extractor.extract(key: TraceParent.field, from: carrier) else { return }
      let state = extractor.extract(key: TraceParent.stateField, from: carrier)
      if let parent = TraceParent(text, state: state) { context.trace = TraceContext(parent) }
    }

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      guard propagates, let trace = context.trace else { return }
      injector.inject(trace.text, forKey: TraceParent.field, into: &carrier)
      if let state = trace.state { injector.inject(state, forKey: TraceParent.stateField, into: &carrier) }
    }
  }
#endif
