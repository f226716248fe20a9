public import Nuke
public import NukeImaging

/// What a view knows that shows an image which may still be on its way.
@MainActor public protocol LazyImageState: Sendable {
  /// The image, or a preview of it.
  var image: PlatformImage? { get }
  /// The image, or a preview of it, with what its decoder knows of it.
  var imageContainer: ImageContainer? { get }
  /// How the load ended; `nil` while it runs, and where there is none.
  var result: Result<ImageResponse, any Error>? { get }
  /// `true` if the image is on its way.
  var isLoading: Bool { get }
  /// How far the load is.
  var progress: FetchImage.Progress { get }
}

extension LazyImageState {
  /// Why there is no image, once that is known.
  public var error: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension FetchImage: LazyImageState {}
