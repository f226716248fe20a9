import NukeServing

/// An order that waits for a worker, or that one works on.
final class RenderJob: @unchecked Sendable {
  enum Phase {
    /// Not yet given to the workers.
    case new
    case waiting
    /// A worker's place works on it, and is woken by its bell.
    case running(Bell)
    case done
  }

  let order: WorkerOrder
  let source: SealedFile
  /// The most bytes of a file.
  let fileLimit: Int
  /// Another worker had it before, which was out of order. Used by the place that works on it.
  var isAnew = false
  // Guarded by the sandbox's lock.
  var phase = Phase.new
  var isCancelled = false
  var continuation: CheckedContinuation<Result<WorkerReply, ServingError>, Never>?

  init(_ order: WorkerOrder, _ source: SealedFile, fileLimit: Int) {
    self.order = order
    self.source = source
    self.fileLimit = fileLimit
  }
}
