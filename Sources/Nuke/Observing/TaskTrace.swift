import Tracing

/// The span of a task, from its creation to its end. It is the parent of the spans of all work that the task was first
/// to request.
final class TaskTrace: Sendable {
  let span: any Span
  let tracer: any Tracer

  init(span: any Span, tracer: any Tracer) {
    self.span = span
    self.tracer = tracer
  }

  /// Assigns the trace to its task, which ends it. A delegate may have canceled the task when it was created; in that
  /// case, the span ends here.
  func begin(_ task: ImageTask) {
    let ended = task.guarded.withLock { guarded -> (outcome: ImageTask.Outcome, facts: ImageTask.Facts)? in
      if let outcome = guarded.outcome { return (outcome, guarded.facts) }
      guarded.trace = self
      return nil
    }
    if let ended { end(ended.outcome, ended.facts) }
  }

  /// Records that the task shares work whose spans belong to another task.
  func link(to owner: TaskTrace) {
    span.addLink(SpanLink(context: owner.span.context, attributes: [:]))
  }

  /// Runs `body` in the context of the span, so that log entries belong to the trace.
  func around(_ body: () -> Void) { ServiceContext.withValue(span.context, operation: body) }

  func end(_ outcome: ImageTask.Outcome, _ facts: ImageTask.Facts) {
    if span.isRecording {
      span.attributes["nuke.coalesced"] = facts.isCoalesced
      if let origin = facts.origin { span.attributes["nuke.origin"] = origin.rawValue }
      if facts.byteCount > 0 { span.attributes["nuke.bytes"] = facts.byteCount }
    }
    switch outcome {
    case .success: break
    // The caller already knows of the cancellation.
    case .failure(.cancelled): span.attributes["nuke.cancelled"] = true
    case .failure(let error): span.fail(with: error)
    }
    span.end()
  }
}

extension Span {
  func fail(with error: any Error) {
    recordError(error)
    setStatus(SpanStatus(code: .error, message: "\(error)"))
  }
}
