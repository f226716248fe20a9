import Foundation
import NukeBase
import NukeHTTP
public import NukeImaging
import Synchronization

/// A load of an image: await its result, follow its progress, change its priority, or cancel it.
///
/// A task can be used from any thread. All callers that await it get the same result.
public final class ImageTask: Sendable, Hashable, Identifiable, CustomStringConvertible {
  package enum Kind: Sendable { case image, data }

  /// A number that is unique in this process.
  public let taskId: UInt64
  /// The request the task was created with.
  public let request: ImageRequest
  let kind: Kind
  let pipeline: ImagePipeline
  /// The mutable state. The lock of the pipeline, if it is needed too, is taken first.
  let guarded: Lock<LockedState>
  private let hasCancelBeenCalled = Atomic<Bool>(false)

  private static let lastTaskID = Atomic<UInt64>(0)

  /// - Parameter keepsEvents: `true` if a stream that is created later still gets the first events.
  init(request: ImageRequest, kind: Kind, pipeline: ImagePipeline, keepsEvents: Bool) {
    taskId = Self.lastTaskID.add(1, ordering: .relaxed).newValue
    self.request = request
    self.kind = kind
    self.pipeline = pipeline
    guarded = Lock(LockedState(priority: request.priority, keepsEvents: keepsEvents))
  }

  public static func == (lhs: ImageTask, rhs: ImageTask) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The number, the image, the priority, the progress, and the state: running, success, failure or cancelled. The name of
  /// a URL has no user name, password, query and fragment.
  public var description: String {
    let (priority, progress, outcome) = guarded.withLock { ($0.priority, $0.progress, $0.outcome) }
    let state =
      switch outcome {
      case nil: "running"
      case .success: "success"
      case .failure(.cancelled): "cancelled"
      case .failure: "failure"
      }
    return "ImageTask(id: \(taskId), request: \(request.publicName), priority: \(priority), "
      + "progress: \(progress.completed) / \(progress.total), state: \(state))"
  }

  // MARK: The outcome

  /// The image.
  ///
  /// Canceling the Swift task that waits here cancels this load.
  ///
  /// - Throws: ``ImagePipeline/Error``; ``ImagePipeline/Error/cancelled`` after ``cancel()``.
  public var image: PlatformImage {
    get async throws(ImagePipeline.Error) { try await response.image }
  }

  /// The image and its origin.
  ///
  /// Canceling the Swift task that waits here cancels this load.
  ///
  /// - Throws: ``ImagePipeline/Error``; ``ImagePipeline/Error/cancelled`` after ``cancel()``.
  public var response: ImageResponse {
    get async throws(ImagePipeline.Error) { try await outcome().get() }
  }

  /// Cancels the load and returns at once. Work that other tasks share continues.
  ///
  /// After this method returns, no closure that was passed to `loadImage` or `loadData` is called. The data loader is
  /// not called for this load if it has not been called yet. If another thread is just calling it, the transfer is
  /// canceled when that call returns. A task that has finished keeps its result.
  public func cancel() {
    hasCancelBeenCalled.store(true, ordering: .releasing)
    let (token, isUnstarted) = guarded.withLock { ($0.takeToken(), $0.refuseStart()) }
    // Canceled by a delegate before the task was started.
    if isUnstarted { return fail(.cancelled, asCancelled: true) }
    guard let token else { return }
    let hasLeft = GraphTransaction.run(on: pipeline) { $0.leave(token, of: self) }
    // The thread that ends the subscription ends the task, so a load that has just finished keeps its result.
    if hasLeft { fail(.cancelled, asCancelled: true) }
  }

  // MARK: State

  /// The priority of the load. Changing it takes effect at once, also for work that is shared with other tasks.
  public var priority: ImageRequest.Priority {
    get { guarded.withLock { $0.priority } }
    set { GraphTransaction.run(on: pipeline) { $0.setPriority(newValue, of: self) } }
  }

  /// A Boolean value that indicates whether the load is running, was canceled, or ended otherwise.
  public var state: State { guarded.withLock { $0.state } }

  /// The states of a task.
  public enum State: Sendable { case running, cancelled, completed }

  /// A Boolean value that indicates whether ``cancel()`` was called, also if the task had finished before.
  public var isCancelled: Bool { hasCancelBeenCalled.load(ordering: .acquiring) }

  /// The number of bytes loaded so far.
  public var currentProgress: Progress { guarded.withLock { $0.progress } }

  /// The progress of a load, in bytes.
  public struct Progress: Hashable, Sendable {
    /// The bytes loaded so far.
    public let completed: Int64
    /// The total size, in bytes; 0 if it is not known.
    public let total: Int64

    /// Creates a progress. A total of 0 stands for an unknown size.
    public init(completed: Int64, total: Int64) {
      self.completed = completed
      self.total = total
    }

    /// The fraction of bytes loaded, from 0 to 1; 0 if the total is not known.
    public var fraction: Float { total > 0 ? min(1, Float(completed) / Float(total)) : 0 }
  }

  /// A consistent snapshot of a task.
  public struct Status: Sendable {
    /// The outcome; `nil` while the task is running.
    public let result: Result<ImageResponse, ImagePipeline.Error>?
    /// A Boolean value that indicates whether ``ImageTask/cancel()`` was called.
    public let isCancelled: Bool
    /// The priority of the load.
    public let priority: ImageRequest.Priority
    /// The number of bytes loaded so far.
    public let progress: Progress

    /// Creates a snapshot, for example for a preview or a test.
    public init(
      result: Result<ImageResponse, ImagePipeline.Error>? = nil, isCancelled: Bool = false,
      priority: ImageRequest.Priority = .normal, progress: Progress = Progress(completed: 0, total: 0)
    ) {
      self.result = result
      self.isCancelled = isCancelled
      self.priority = priority
      self.progress = progress
    }
  }

  /// The result, cancellation, priority and progress, all read at the same moment.
  public var status: Status {
    guarded.withLock {
      Status(result: $0.outcome, isCancelled: isCancelled, priority: $0.priority, progress: $0.progress)
    }
  }

  /// The origin of the image, and the time that each stage took. Complete once the load has ended.
  public var facts: Facts { guarded.withLock { $0.facts } }
}

extension ImageTask: Cancellable {}
