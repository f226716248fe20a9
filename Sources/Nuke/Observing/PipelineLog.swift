import Foundation
import Logging
import NukeBase
import NukeHTTP

/// Logs the events of a pipeline: tasks and stages at the level `debug`, memory hits at `trace`. Problems that cause no
/// error are logged at `warning`, each at most once a minute.
final class PipelineLog: Sendable {
  /// A problem that causes no error.
  enum Complaint: Int, CaseIterable {
    case storedImageDamaged, tooLargeForMemory, diskKeepsNothing
  }

  private let logger: Logger
  private let throttle: LogThrottle

  init(_ logger: Logger, throttle: LogThrottle = LogThrottle()) {
    self.logger = logger
    self.throttle = throttle
  }

  // MARK: Tasks

  func started(_ task: ImageTask) {
    logger.debug(
      "load started",
      metadata: [
        "nuke.task": "\(task.taskId)", "nuke.request": "\(task.request.publicName)",
        "nuke.priority": "\(task.request.priority)",
      ])
  }

  /// Logs a memory hit without a task.
  func hit(_ request: ImageRequest) {
    logger.trace("memory hit", metadata: ["nuke.request": "\(request.publicName)"])
  }

  func ended(_ task: ImageTask, _ outcome: ImageTask.Outcome, _ facts: ImageTask.Facts) {
    // A memory hit is not a load, and there may be very many.
    let level: Logger.Level = facts.origin == .memory && facts.processing == 0 ? .trace : .debug
    guard logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "nuke.task": "\(task.taskId)", "nuke.request": "\(task.request.publicName)",
      "nuke.duration": "\(Self.milliseconds(facts.total))",
    ]
    if let origin = facts.origin { metadata["nuke.origin"] = "\(origin.rawValue)" }
    if facts.byteCount > 0 { metadata["nuke.bytes"] = "\(facts.byteCount)" }
    if facts.isCoalesced { metadata["nuke.coalesced"] = "true" }
    switch outcome {
    case .success: logger.log(level: level, "load ended", metadata: metadata)
    case .failure(.cancelled): logger.log(level: level, "load canceled", metadata: metadata)
    case .failure(let error):
      metadata["nuke.error"] = "\(error)"
      logger.log(level: level, "load failed", metadata: metadata)
    }
  }

  // MARK: Stages

  func ended(
    _ stage: Stage, of request: ImageRequest, _ error: (any Error)?, seconds: TimeInterval, byteCount: Int?,
    isHit: Bool?
  ) {
    guard logger.logLevel <= .debug else { return }
    var metadata: Logger.Metadata = [
      "nuke.request": "\(request.publicName)", "nuke.stage": "\(stage.rawValue)",
      "nuke.duration": "\(Self.milliseconds(seconds))",
    ]
    if let byteCount { metadata["nuke.bytes"] = "\(byteCount)" }
    if let isHit { metadata["nuke.hit"] = "\(isHit)" }
    if let error { metadata["nuke.error"] = "\(error)" }
    logger.debug(error == nil ? "stage ended" : "stage failed", metadata: metadata)
  }

  // MARK: Complaints

  func warn(_ complaint: Complaint, of request: ImageRequest, byteCount: Int? = nil) {
    guard logger.logLevel <= .warning, let suppressed = throttle.pass(complaint.rawValue) else { return }
    var metadata: Logger.Metadata = ["nuke.request": "\(request.publicName)"]
    if let byteCount { metadata["nuke.bytes"] = "\(byteCount)" }
    if suppressed > 0 { metadata["nuke.suppressed"] = "\(suppressed)" }
    logger.warning("\(complaint.text)", metadata: metadata)
  }

  private static func milliseconds(_ seconds: TimeInterval) -> String { String(format: "%.3f ms", seconds * 1000) }
}

extension PipelineLog.Complaint {
  fileprivate var text: String {
    switch self {
    case .storedImageDamaged: "an image in the disk cache could not be decoded: it is removed and created again"
    case .tooLargeForMemory: "an image is larger than the memory cache's limit for one image: every load decodes it"
    case .diskKeepsNothing:
      "the disk cache stores nothing: its folder cannot be written to, or its limit is too small"
    }
  }
}
