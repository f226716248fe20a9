import Foundation
public import NukeImaging

/// One load that has been started: wait for its picture, follow its progress, change its priority, cancel it.
///
/// It may be used from any thread. Whoever waits, and however many do, all get the same outcome.
public final class ImageTask: Sendable, Hashable, Identifiable {
  package enum Kind: Sendable { case image, data }

  /// A number that no other task of the pipeline has.
  public let taskId: Int64
  public var id: Int64 { taskId }
  /// What was asked for.
  public let request: ImageRequest
  let kind: Kind
  let pipeline: ImagePipeline
  /// What changes, guarded by the pipeline's lock: used from inside of `pipeline.state.withLock` only.
  @exclusivity(unchecked) nonisolated(unsafe) var guarded: Guarded

  init(id: Int64, request: ImageRequest, kind: Kind, pipeline: ImagePipeline) {
    taskId = id
    self.request = request
    self.kind = kind
    self.pipeline = pipeline
    guarded = Guarded(priority: request.priority)
  }

  public static func == (lhs: ImageTask, rhs: ImageTask) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: The outcome

  /// The picture.
  ///
  /// Cancelling the Swift task that waits here cancels this load.
  public var image: PlatformImage {
    get async throws(ImagePipeline.Error) { try await response.image }
  }

  /// The picture and what is known of where it came from.
  ///
  /// Cancelling the Swift task that waits here cancels this load.
  public var response: ImageResponse {
    get async throws(ImagePipeline.Error) { try await outcome().get() }
  }

  /// Gives the load up, unless it has ended. Work that others wait for goes on. Returns at once.
  public func cancel() {
    let (token, isUnstarted) = pipeline.state.withLock { _ in (guarded.takeToken(), guarded.refuseStart()) }
    // Cancelled by a delegate that has just been told of it.
    if isUnstarted { return fail(.cancelled, asCancelled: true) }
    guard let token else { return }
    let hasLeft = Turn.run(on: pipeline) { $0.leave(token) }
    // Whoever ends the subscription ends the task: a load that finished just now keeps its outcome.
    if hasLeft { fail(.cancelled, asCancelled: true) }
  }

  // MARK: What can be asked and changed meanwhile

  /// How urgent the load is. It can be changed while it runs, and shared work takes it on at once.
  public var priority: ImageRequest.Priority {
    get { pipeline.state.withLock { _ in guarded.priority } }
    set { Turn.run(on: pipeline) { $0.setPriority(newValue, of: self) } }
  }

  /// Whether the load runs, has been cancelled or has ended otherwise.
  public var state: State {
    pipeline.state.withLock { _ in guarded.state }
  }

  /// How far a load is.
  public enum State: Sendable { case running, cancelled, completed }

  /// Whether the load was cancelled before it ended.
  public var isCancelled: Bool { state == .cancelled }

  /// How much has been loaded so far.
  public var currentProgress: Progress { pipeline.state.withLock { _ in guarded.progress } }

  /// Bytes loaded, and how many there will be.
  public struct Progress: Hashable, Sendable {
    /// Bytes loaded so far.
    public let completed: Int64
    /// 0 where the source does not say.
    public let total: Int64

    /// So many bytes of so many; a total of 0 where it is not known.
    public init(completed: Int64, total: Int64) {
      self.completed = completed
      self.total = total
    }

    /// From 0 to 1; 0 where the total is not known.
    public var fraction: Float { total > 0 ? min(1, Float(completed) / Float(total)) : 0 }
  }

  /// All that can be asked of a task, as it was at one moment.
  public struct Status: Sendable {
    /// The end, once it has come.
    public let result: Result<ImageResponse, ImagePipeline.Error>?
    /// Whether the load was cancelled before it ended.
    public let isCancelled: Bool
    /// How urgent the load is.
    public let priority: ImageRequest.Priority
    /// How much has been loaded.
    public let progress: Progress
  }

  /// The result, cancellation, priority and progress as they are together at this moment.
  public var status: Status {
    pipeline.state.withLock { _ in
      Status(
        result: guarded.outcome, isCancelled: guarded.state == .cancelled, priority: guarded.priority,
        progress: guarded.progress)
    }
  }

  /// Where the picture came from and what each stage took; complete once the load has ended.
  public var facts: Facts { pipeline.state.withLock { _ in guarded.facts } }
}

extension ImageTask: Cancellable {}
