/// The statistics of a sandbox since it was created.
public struct SandboxStatistics: Sendable, Hashable {
  /// Workers that are there.
  public var workers = 0
  /// The number of these that are busy.
  public var busy = 0
  /// Orders that wait for a worker.
  public var waiting = 0
  /// Workers that were started, the first ones included.
  public var starts = 0
  /// Orders that were answered: two for an image, of which one is for the plan.
  public var answers = 0
  /// Workers that died at work, or made no sense.
  public var crashes = 0
  /// Workers that were ended since they took too long, or since nobody waited for them any more.
  public var overruns = 0
  /// Workers that were ended since they had made their images, or kept too much memory.
  public var retirements = 0

  /// Creates empty statistics.
  public init() {}
}
