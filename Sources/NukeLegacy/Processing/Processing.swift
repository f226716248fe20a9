/// One step of what is done to a picture. Called on worker threads.
///
/// Processors that are equal make the same of a picture, so what one has made is used for the other.
public protocol Processing: Equatable, Sendable {
  /// The processed picture; nil where it cannot be processed, with which loading fails.
  func process(_ image: Image) -> Image?
}
