#if Server
  import NukeBase
  import Tracing

  /// The values of a span that has ended.
  struct FinishedSpan: Sendable {
    let trace: TraceContext
    /// The ID of the parent; `nil` for the first span of a trace.
    let parentID: String?
    var name: String
    let kind: SpanKind
    /// Nanoseconds since 1970.
    let start: UInt64
    /// Nanoseconds since 1970, and at least ``start``.
    fileprivate(set) var end: UInt64 = 0
    fileprivate(set) var attributes = SpanAttributes()
    fileprivate(set) var events: [SpanEvent] = []
    /// The spans of other traces or branches that this one belongs to.
    fileprivate(set) var links: [TraceContext] = []
    fileprivate(set) var status: SpanStatus?

    /// The maximum number of attributes, of events, and of links of a span. Further ones are dropped.
    static let detailLimit = 64

    init(trace: TraceContext, parentID: String?, name: String, kind: SpanKind, start: UInt64) {
      self.trace = trace
      self.parentID = parentID
      self.name = name
      self.kind = kind
      self.start = start
    }
  }

  /// A span of ``OTLPTracer``.
  final class OTLPSpan: Span {
    let context: ServiceContext
    private let name: String
    private let recording: SpanRecording?

    /// - Parameter recording: records the values of the span; `nil` if its trace is not recorded.
    init(_ context: ServiceContext, named name: String, recording: SpanRecording?) {
      self.context = context
      self.name = name
      self.recording = recording
    }

    /// `true` until a recorded span ends.
    var isRecording: Bool { recording?.isActive ?? false }

    var operationName: String {
      get { recording?.read(\.name) ?? name }
      set { recording?.change { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
      get { recording?.read(\.attributes) ?? [:] }
      set { recording?.change { if newValue.count <= FinishedSpan.detailLimit { $0.attributes = newValue } } }
    }

    func setStatus(_ status: SpanStatus) { recording?.change { $0.status = status } }

    func addEvent(_ event: SpanEvent) {
      recording?.change { if $0.events.count < FinishedSpan.detailLimit { $0.events.append(event) } }
    }

    func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
      guard isRecording else { return }
      var attributes = attributes
      attributes["exception.type"] = String(reflecting: type(of: error))
      attributes["exception.message"] = String(describing: error)
      addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    func addLink(_ link: SpanLink) {
      guard let trace = link.context.trace else { return }
      recording?.change { if $0.links.count < FinishedSpan.detailLimit { $0.links.append(trace) } }
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
      recording?.end(at: instant().nanosecondsSinceEpoch)
    }
  }

  /// The values of a span until it ends.
  final class SpanRecording: Sendable {
    private let span: Lock<FinishedSpan?>
    private let export: @Sendable (FinishedSpan) -> Void

    init(_ span: FinishedSpan, _ export: @escaping @Sendable (FinishedSpan) -> Void) {
      self.span = Lock(span)
      self.export = export
    }

    var isActive: Bool { span.withLock { $0 != nil } }

    func read<Value>(_ path: KeyPath<FinishedSpan, Value>) -> Value? { span.withLock { $0?[keyPath: path] } }

    func change(_ body: (inout FinishedSpan) -> Void) {
      span.withLock { span in
        if var changed = span.take() {
          body(&changed)
          span = changed
        }
      }
    }

    /// Exports the span, at the first call only.
    func end(at time: UInt64) {
      guard var ended = span.withLock({ $0.take() }) else { return }
      // The clock may have been set back.
      ended.end = max(ended.start, time)
      export(ended)
    }
  }
#endif
