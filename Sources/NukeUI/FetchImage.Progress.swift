import Nuke
public import Observation

extension FetchImage {
  /// The progress of a load. It is observed separately, so that a view that shows only the image is not updated for
  /// each part.
  @MainActor @Observable public final class Progress {
    /// Bytes loaded so far.
    public internal(set) var completed: Int64 = 0
    /// Bytes in all; 0 where the source does not say.
    public internal(set) var total: Int64 = 0

    nonisolated init() {}

    /// The fraction of bytes loaded, from 0 to 1; 0 if the total is not known.
    public var fraction: Float { ImageTask.Progress(completed: completed, total: total).fraction }
  }
}
