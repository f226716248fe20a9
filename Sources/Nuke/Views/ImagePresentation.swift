public import Foundation
public import NukeImaging

/// An image to show in a view, and how to show it.
public struct ImagePresentation: Sendable {
  /// The kind of image.
  public enum Phase: Hashable, Sendable, CaseIterable {
    /// The image is not loaded yet. There may be a placeholder.
    case placeholder
    /// An early, incomplete version of the image.
    case preview
    /// The image.
    case success
    /// The image could not be loaded. The image to show is the failure image.
    case failure
  }

  /// The image and its metadata; `nil` to clear the view.
  public var container: ImageContainer?
  /// The kind of image.
  public var phase: Phase
  /// The content mode; `nil` to leave it to the view.
  public var contentMode: ImageContentMode?
  /// A color that replaces all colors of the image and keeps its transparency; `nil` for none. A view without support
  /// for tint colors shows the ``tintedImage``.
  public var tintColor: PlatformColor?
  /// The duration of the fade from the previous content, in seconds; 0 for no fade.
  public var fadeDuration: TimeInterval

  /// Creates a presentation, for example for a custom transition or a test.
  public init(
    container: ImageContainer?, phase: Phase, contentMode: ImageContentMode? = nil, tintColor: PlatformColor? = nil,
    fadeDuration: TimeInterval = 0
  ) {
    self.container = container
    self.phase = phase
    self.contentMode = contentMode
    self.tintColor = tintColor
    self.fadeDuration = fadeDuration
  }

  /// The image; `nil` to clear the view.
  public var image: PlatformImage? { container?.image }
  /// The image in its ``tintColor``, computed on the calling thread; the image itself if there is no tint color.
  public var tintedImage: PlatformImage? {
    guard let tintColor else { return image }
    return image?.withTintColor(tintColor)
  }
  /// A Boolean value that indicates whether the image fades in.
  public var isAnimated: Bool { fadeDuration > 0 }
}
