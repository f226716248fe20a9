public import Nuke
public import NukeImaging

/// The state of a view that shows an image while it is loaded.
@MainActor public protocol LazyImageState: Sendable {
  /// The image, or a preview of it.
  var image: PlatformImage? { get }
  /// The image, or a preview of it, with what its decoder knows of it.
  var imageContainer: ImageContainer? { get }
  /// The result of the load; `nil` while it runs, and if there is none.
  var result: Result<ImageResponse, any Error>? { get }
  /// `true` if the image is on its way.
  var isLoading: Bool { get }
  /// The progress of the load.
  var progress: FetchImage.Progress { get }
}

extension LazyImageState {
  /// Why there is no image, once that is known.
  public var error: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension FetchImage: LazyImageState {}
