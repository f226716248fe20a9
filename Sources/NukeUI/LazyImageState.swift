public import Nuke
public import NukeImaging

/// What a view knows that shows a picture which may still be on its way.
@MainActor public protocol LazyImageState: Sendable {
  /// The picture, or a preview of it.
  var image: PlatformImage? { get }
  /// The picture, or a preview of it, with what its decoder knows of it.
  var imageContainer: ImageContainer? { get }
  /// How the load ended; nil while it runs, and where there is none.
  var result: Result<ImageResponse, any Error>? { get }
  /// Whether the picture is on its way.
  var isLoading: Bool { get }
  /// How far the load is.
  var progress: FetchImage.Progress { get }
}

extension LazyImageState {
  /// Why there is no picture, once that is known.
  public var error: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension FetchImage: LazyImageState {}
