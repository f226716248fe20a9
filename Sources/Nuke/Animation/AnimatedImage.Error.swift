extension AnimatedImage {
  /// The reason why a frame is not available.
  public enum Error: Swift.Error, Sendable {
    /// The frame cannot be decoded or processed. Later frames are not decoded; earlier ones stay available. `error` is
    /// a `CodecError` or ``ImagePipeline/Error/processingFailed(processor:context:error:)``.
    case frameFailed(index: Int, error: any Swift.Error)
    /// Playing needs at least `byteCount` bytes, and the frames of other animations leave less than that.
    case noRoom(byteCount: Int, limit: Int)
    /// There are only `count` frames.
    case noSuchFrame(index: Int, count: Int)
    /// The request for the frame was canceled.
    case cancelled
  }
}

extension AnimatedImage.Error: CustomStringConvertible {
  /// A description of the error: a phrase without a period at its end, so that other messages can contain it.
  public var description: String {
    switch self {
    case .frameFailed(let index, let error): "frame \(index): \(error)"
    case .noRoom(let byteCount, let limit):
      "playing it needs \(byteCount) bytes, more than is available of the \(limit) bytes for all animations"
    case .noSuchFrame(let index, let count): "there is no frame \(index): the animation has \(count)"
    case .cancelled: "the request for the frame was canceled"
    }
  }
}
