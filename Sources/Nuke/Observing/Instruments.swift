import Foundation
import FoundationNetworking
import Logging
import NukeBase
import Tracing

/// The log, metrics and tracer of a pipeline. A pipeline without any of them has no `Instruments`, and each stage only
/// compares with `nil`.
final class Instruments: Sendable {
  let log: PipelineLog?
  let metrics: PipelineMetrics?
  private let customTracer: (any Tracer)?
  private let usesBootstrappedTracer: Bool

  init?(_ configuration: ImagePipeline.Configuration) {
    log = configuration.logger.map { PipelineLog($0) }
    metrics = configuration.metricsFactory.map { PipelineMetrics($0) }
    customTracer = configuration.tracer
    usesBootstrappedTracer = ImagePipeline.Configuration.isSignpostLoggingEnabled
    if log == nil, metrics == nil, customTracer == nil, !usesBootstrappedTracer { return nil }
  }

  /// The tracer; `nil` if none was given or bootstrapped.
  private var tracer: (any Tracer)? {
    if let customTracer { return customTracer }
    guard usesBootstrappedTracer else { return nil }
    let tracer = InstrumentationSystem.tracer
    return tracer is NoOpTracer ? nil : tracer
  }

  // MARK: Tasks

  /// Called on the thread that created the task. Captures its service context.
  func didCreate(_ task: ImageTask) -> TaskTrace? {
    log?.started(task)
    guard let tracer else { return nil }
    let span = tracer.startSpan(task.kind == .image ? "nuke.image" : "nuke.data", ofKind: .internal)
    if span.isRecording { span.attributes["nuke.request"] = task.request.publicName }
    return TaskTrace(span: span, tracer: tracer)
  }

  /// Called before waiters receive the result.
  func didEnd(_ task: ImageTask, _ outcome: ImageTask.Outcome, _ facts: ImageTask.Facts, _ trace: TaskTrace?) {
    metrics?.ended(outcome, facts)
    trace?.around { log?.ended(task, outcome, facts) }
    if trace == nil { log?.ended(task, outcome, facts) }
    trace?.end(outcome, facts)
  }

  /// Called if an image was in memory, so that no task was created.
  func didHitMemory(_ request: ImageRequest) {
    metrics?.looked(into: .memory, isHit: true)
    metrics?.endedFromMemory()
    log?.hit(request)
  }

  // MARK: Stages

  /// Called when a stage begins. The caller must call `end` of the result.
  ///
  /// - Parameters:
  ///   - trace: the trace of the task that first requested the work.
  ///   - name: the name of the decoder or the processor.
  func begin(
    _ stage: Stage, of request: ImageRequest, trace: TaskTrace?, name: @autoclosure () -> String? = nil
  ) -> StageInterval {
    var span: (any Span)?
    if let trace {
      let made = trace.tracer.startSpan(
        stage.spanName, context: trace.span.context, ofKind: stage == .load ? .client : .internal)
      if made.isRecording {
        made.attributes["nuke.request"] = request.publicName
        if let name = name() { made.attributes["nuke.name"] = name }
      }
      span = made
    }
    return StageInterval(stage: stage, request: request, span: span, trace: trace, instruments: self)
  }
}

/// A stage of work that is running.
final class StageInterval: Sendable {
  private let stage: Stage
  private let request: ImageRequest
  fileprivate let span: (any Span)?
  private let trace: TaskTrace?
  private let instruments: Instruments
  private let startedAt = MonotonicClock.now

  init(stage: Stage, request: ImageRequest, span: (any Span)?, trace: TaskTrace?, instruments: Instruments) {
    self.stage = stage
    self.request = request
    self.span = span
    self.trace = trace
    self.instruments = instruments
  }

  /// The end of a stage, on the clock of the durations and on the clock of the spans.
  struct End {
    fileprivate let clock = MonotonicClock.now
    fileprivate let tracerClock = DefaultTracerClock.now
  }

  /// Ends the stage. Must be called once. Calls the metrics, the log and the tracer of the program.
  ///
  /// - Parameters:
  ///   - moment: the end of the stage, if it was before this call.
  ///   - byteCount: the size of the encoded data, if the stage has any.
  ///   - isHit: `true` if a cache contained the entry.
  func end(
    _ error: (any Error)? = nil, at moment: End = End(), byteCount: Int? = nil, isHit: Bool? = nil,
    origin: ImageTask.Facts.Origin? = nil
  ) {
    let seconds = MonotonicClock.seconds(from: startedAt, to: moment.clock)
    instruments.metrics?.ended(stage, seconds: seconds, byteCount: byteCount, isHit: isHit, origin: origin)
    around { instruments.log?.ended(stage, of: request, error, seconds: seconds, byteCount: byteCount, isHit: isHit) }
    guard let span else { return }
    if span.isRecording {
      if let byteCount { span.attributes["nuke.bytes"] = byteCount }
      if let isHit { span.attributes["nuke.hit"] = isHit }
      if let origin { span.attributes["nuke.origin"] = origin.rawValue }
    }
    if let error { span.fail(with: error) }
    span.end(at: moment.tracerClock)
  }

  /// Ends the stage with its result. Must be called once.
  func end(
    with result: Result<some Any, some Error>, at moment: End = End(), byteCount: Int? = nil,
    origin: ImageTask.Facts.Origin? = nil
  ) {
    if case .failure(let error) = result {
      end(error, at: moment, byteCount: byteCount, origin: origin)
    } else {
      end(at: moment, byteCount: byteCount, origin: origin)
    }
  }

  private func around(_ body: () -> Void) {
    if let span { ServiceContext.withValue(span.context, operation: body) } else { body() }
  }

  /// Adds the header fields that propagate the trace to the server.
  func inject(into request: inout URLRequest) {
    // `NukeS3` loads `s3:` over HTTP.
    guard let span, let trace, let url = request.url, url.isHTTP || url.scheme?.lowercased() == "s3" else { return }
    trace.tracer.inject(span.context, into: &request, using: HeaderInjector())
  }

  private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout URLRequest) {
      carrier.setValue(value, forHTTPHeaderField: key)
    }
  }
}

extension StageInterval? {
  /// Runs a closure of the program in the context of the stage, if it is traced, so that its spans become children of
  /// the stage.
  func around<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    guard let span = self?.span else { return try await body() }
    return try await ServiceContext.withValue(span.context, operation: body)
  }
}
