#if Server
  import NukeServing
  import Tracing

  /// Creates spans if there is a tracer.
  struct RequestTracing: Sendable {
    /// The tracer; `nil` if tracing is disabled.
    let tracer: (any Tracer)?

    init(_ tracer: any Tracer) { self.tracer = tracer is NoOpTracer ? nil : tracer }

    /// Runs `body` in the context of a span.
    static func within<Value: Sendable>(_ span: (any Span)?, _ body: () async -> Value) async -> Value {
      guard let span else { return await body() }
      return await ServiceContext.$current.withValue(span.context) { await body() }
    }
  }

  /// Adds the stages of the engine to the record and the trace of a request.
  struct ObservedStages {
    let tracer: any Tracer
    /// The stages that have a span here. The pipeline creates those for loading, decoding and processing.
    private let traced: Set<ServiceStatistics.Stage>

    /// - Parameter isSandboxed: `true` if images are rendered in other processes instead of the pipeline.
    init(tracer: any Tracer, isSandboxed: Bool) {
      self.tracer = tracer
      let engines: Set<ServiceStatistics.Stage> = [.store, .lease, .wait, .encode, .write]
      traced = isSandboxed ? engines.union([.decode, .process]) : engines
    }

    func note(_ stage: ServiceStatistics.Stage, _ seconds: Double, _ ago: Double) {
      // The parts of these stages are recorded instead. Whole requests are recorded elsewhere.
      if [.source, .render, .request].contains(stage) { return }
      // Writing to the stores continues after the response, so it does not belong to the response's timing.
      if stage != .write { RequestRecord.current?.add(stage.rawValue, seconds) }
      guard traced.contains(stage), !(tracer is NoOpTracer), let context = ServiceContext.current else { return }
      let now = DefaultTracerClock.now
      tracer.startSpan(
        "nuke.\(stage.rawValue)", context: context, ofKind: .internal, at: now.before(seconds: ago + seconds)
      ).end(at: now.before(seconds: ago))
    }

    /// Adds a span for the look-up of a result in a store of another machine, which is a part of the stage `store`.
    ///
    /// - Parameter system: the kind of the store, such as `redis`.
    func noteLookUp(in system: String, _ seconds: Double) {
      guard !(tracer is NoOpTracer), let context = ServiceContext.current else { return }
      let now = DefaultTracerClock.now
      let span = tracer.startSpan(
        "nuke.store.\(system)", context: context, ofKind: .client, at: now.before(seconds: seconds))
      span.attributes["db.system.name"] = system
      span.end(at: now)
    }
  }

  extension DefaultTracerClock.Timestamp {
    /// Returns the time a number of seconds ago.
    func before(seconds: Double) -> Self {
      Self(nanosecondsSinceEpoch: nanosecondsSinceEpoch - UInt64(max(0, min(seconds, 1e9)) * 1e9))
    }
  }
#endif
