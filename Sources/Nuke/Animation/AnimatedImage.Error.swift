extension AnimatedImage {
  /// Why there is no frame.
  public enum Error: Swift.Error, Sendable {
    /// The frame cannot be decoded or processed, and those behind it are not tried; `error` says why: a `CodecError`, or
    /// ``ImagePipeline/Error/processingFailed(processor:context:error:)``. The frames before it are there.
    case frameFailed(index: Int, error: any Swift.Error)
    /// Playing would take `byteCount` bytes at least, for which there is no room beside what else is played.
    case noRoom(byteCount: Int, limit: Int)
    /// There are only `count` frames.
    case noSuchFrame(index: Int, count: Int)
    /// Nobody waits for the frame any more.
    case cancelled
  }
}

extension AnimatedImage.Error: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .frameFailed(let index, let error): "frame \(index): \(error)"
    case .noRoom(let byteCount, let limit):
      "playing takes \(byteCount) bytes, for which there is no room in the \(limit) that all animations share"
    case .noSuchFrame(let index, let count): "there is no frame \(index): the animation has \(count)"
    case .cancelled: "cancelled"
    }
  }
}
