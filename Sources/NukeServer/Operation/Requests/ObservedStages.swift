#if Server
  import NukeServing
  import Tracing

  /// Tells the record and the trace of a request what stages of the engine took for it. What happens in the pipeline, which
  /// are loading, decoding and processing, the pipeline tells itself: see ``StageTimes``.
  struct ObservedStages {
    let tracer: any Tracer

    func note(_ stage: ServiceStatistics.Stage, _ seconds: Double) {
      guard [.store, .lease, .wait, .encode, .write].contains(stage) else { return }
      RequestRecord.current?.add(stage.rawValue, seconds)
      guard !(tracer is NoOpTracer), let context = ServiceContext.current else { return }
      let end = DefaultTracerClock.now
      let start = DefaultTracerClock.Timestamp(
        nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - UInt64(max(0, seconds) * 1e9))
      tracer.startSpan("nuke.\(stage.rawValue)", context: context, ofKind: .internal, at: start).end(at: end)
    }
  }
#endif
