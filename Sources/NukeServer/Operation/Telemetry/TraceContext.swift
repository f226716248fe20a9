#if Server
  import NukeServing
  import Tracing

  /// A span's identity, as W3C Trace Context passes it on.
  struct TraceContext: Sendable, Hashable {
    /// 32 hexadecimal digits.
    var traceID: String
    /// 16 hexadecimal digits.
    var spanID: String
    /// `true` if the spans of the trace are exported.
    var isSampled: Bool
    /// The `tracestate` field of the client; `nil` if there is none.
    var state: String?

    init(traceID: String, spanID: String, isSampled: Bool, state: String? = nil) {
      (self.traceID, self.spanID, self.isSampled, self.state) = (traceID, spanID, isSampled, state)
    }

    init(_ parent: TraceParent) {
      self.init(traceID: parent.traceID, spanID: parent.parentID, isSampled: parent.isSampled, state: parent.state)
    }

    /// The `traceparent` field.
    var text: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }
  }

  private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
    static let nameOverride: String? = "nuke-trace"
  }

  extension ServiceContext {
    /// The span that code in this context belongs to; `nil` without ``OTLPTracer``.
    var trace: TraceContext? {
      get { self[TraceContextKey.self] }
      set { self[TraceContextKey.self] = newValue }
    }
  }
#endif
