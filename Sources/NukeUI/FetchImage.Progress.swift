import Nuke
public import Observation

extension FetchImage {
  /// The progress of a load. It is observed separately, so that a view that shows only the image is not updated
  /// whenever data arrives.
  @MainActor @Observable public final class Progress {
    /// The number of bytes loaded so far.
    public internal(set) var completed: Int64 = 0
    /// The total number of bytes; 0 if it is not known.
    public internal(set) var total: Int64 = 0

    nonisolated init() {}

    /// The fraction of bytes loaded, from 0 to 1; 0 if the total is not known.
    public var fraction: Float { ImageTask.Progress(completed: completed, total: total).fraction }
  }
}
