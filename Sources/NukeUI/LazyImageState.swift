public import Nuke
public import NukeImaging

/// The state of a view that shows an image while it is loaded.
@MainActor public protocol LazyImageState: Sendable {
  /// The image or a preview.
  var image: PlatformImage? { get }
  /// The image or a preview, with the information from its decoder.
  var imageContainer: ImageContainer? { get }
  /// The result of the load; `nil` while it runs, or without a load.
  var result: Result<ImageResponse, any Error>? { get }
  /// `true` if the image is being loaded.
  var isLoading: Bool { get }
  /// The progress of the load.
  var progress: FetchImage.Progress { get }
}

extension LazyImageState {
  /// The error, if the load has failed.
  public var error: (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension FetchImage: LazyImageState {}
