import Nuke
public import Observation

extension FetchImage {
  /// How far a load is. It is observed by itself, so that a view which shows the image alone is not told of each part.
  @MainActor @Observable public final class Progress {
    /// Bytes loaded so far.
    public internal(set) var completed: Int64 = 0
    /// Bytes in all; 0 where the source does not say.
    public internal(set) var total: Int64 = 0

    nonisolated init() {}

    /// From 0 to 1; 0 where the total is not known.
    public var fraction: Float { ImageTask.Progress(completed: completed, total: total).fraction }
  }
}
