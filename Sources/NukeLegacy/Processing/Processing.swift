/// One step of what is done to an image. Called on worker threads.
///
/// Processors that are equal make the same of an image, so what one has made is used for the other.
public protocol Processing: Equatable, Sendable {
  /// The processed image; `nil` if it cannot be processed, with which loading fails.
  func process(_ image: Image) -> Image?
}
