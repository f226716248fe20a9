import Foundation
import FoundationNetworking
import Logging
import Tracing

/// The log, metrics and tracer of a pipeline. A pipeline without any has no instruments, and pays for one comparison
/// with `nil` in each stage.
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

  /// The tracer; `nil` if none was given and none has been bootstrapped.
  private var tracer: (any Tracer)? {
    if let customTracer { return customTracer }
    guard usesBootstrappedTracer else { return nil }
    let tracer = InstrumentationSystem.tracer
    return tracer is NoOpTracer ? nil : tracer
  }

  // MARK: Tasks

  /// Told on the thread that made the task, whose context is captured.
  func didCreate(_ task: ImageTask) -> TaskTrace? {
    log?.started(task)
    guard let tracer else { return nil }
    let span = tracer.startSpan(task.kind == .image ? "nuke.image" : "nuke.data", ofKind: .internal)
    if span.isRecording { span.attributes["nuke.request"] = task.request.publicName }
    return TaskTrace(span: span, tracer: tracer)
  }

  /// Told before those who wait are.
  func didEnd(_ task: ImageTask, _ outcome: ImageTask.Outcome, _ facts: ImageTask.Facts, _ trace: TaskTrace?) {
    metrics?.ended(outcome, facts)
    trace?.around { log?.ended(task, outcome, facts) }
    if trace == nil { log?.ended(task, outcome, facts) }
    trace?.end(outcome, facts)
  }

  /// An image was in memory and no task was made.
  func didHitMemory(_ request: ImageRequest) {
    metrics?.looked(into: .memory, isHit: true)
    metrics?.endedFromMemory()
    log?.hit(request)
  }

  // MARK: Stages

  /// Told when a stage begins. What is given back is told its end.
  ///
  /// - Parameters:
  ///   - trace: of the task that owns the work: the one that asked for it first.
  ///   - name: of the decoder or the processor.
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

/// One stage of work that is under way.
final class StageInterval: Sendable {
  private let stage: Stage
  private let request: ImageRequest
  private let span: (any Span)?
  private let trace: TaskTrace?
  private let instruments: Instruments
  private let startedAt = Clock.now

  init(stage: Stage, request: ImageRequest, span: (any Span)?, trace: TaskTrace?, instruments: Instruments) {
    self.stage = stage
    self.request = request
    self.span = span
    self.trace = trace
    self.instruments = instruments
  }

  /// Ends the stage; called once.
  ///
  /// - Parameters:
  ///   - byteCount: of encoded data, where the stage has some.
  ///   - isHit: whether a cache had what was looked for.
  func end(
    _ error: (any Error)? = nil, byteCount: Int? = nil, isHit: Bool? = nil, origin: ImageTask.Facts.Origin? = nil
  ) {
    let seconds = Clock.seconds(from: startedAt, to: Clock.now)
    instruments.metrics?.ended(stage, seconds: seconds, byteCount: byteCount, isHit: isHit, origin: origin)
    around { instruments.log?.ended(stage, of: request, error, seconds: seconds, byteCount: byteCount, isHit: isHit) }
    guard let span else { return }
    if span.isRecording {
      if let byteCount { span.attributes["nuke.bytes"] = byteCount }
      if let isHit { span.attributes["nuke.hit"] = isHit }
      if let origin { span.attributes["nuke.origin"] = origin.rawValue }
    }
    if let error { span.fail(with: error) }
    span.end()
  }

  /// Ends the stage with its result; called once.
  func end(
    with result: Result<some Any, ImagePipeline.Error>, byteCount: Int? = nil, origin: ImageTask.Facts.Origin? = nil
  ) {
    if case .failure(let error) = result {
      end(error, byteCount: byteCount, origin: origin)
    } else {
      end(byteCount: byteCount, origin: origin)
    }
  }

  private func around(_ body: () -> Void) {
    if let span { ServiceContext.withValue(span.context, operation: body) } else { body() }
  }

  /// Runs a closure of the program's in the context of this stage, so that what it traces belongs here.
  func around<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    guard let span else { return try await body() }
    return try await ServiceContext.withValue(span.context, operation: body)
  }

  /// Adds the header fields that tell the server which trace the request belongs to.
  func inject(into request: inout URLRequest) {
    guard let span, let trace, let scheme = request.url?.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { return }
    trace.tracer.inject(span.context, into: &request, using: HeaderInjector())
  }

  private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout URLRequest) {
      carrier.setValue(value, forHTTPHeaderField: key)
    }
  }
}

extension StageInterval? {
  /// Runs a closure of the program's in the context of the stage, where one is traced.
  func around<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    guard let self else { return try await body() }
    return try await self.around(body)
  }
}
