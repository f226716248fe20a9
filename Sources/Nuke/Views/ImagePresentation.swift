public import Foundation
public import NukeImaging

/// An image to show in a view, and how to show it.
public struct ImagePresentation: Sendable {
  /// The kind of image.
  public enum Phase: Hashable, Sendable, CaseIterable {
    /// Nothing has come yet, and there may be a placeholder.
    case placeholder
    /// An early, incomplete version of the image.
    case preview
    /// The image.
    case success
    /// The image could not be loaded, and this one is shown in its place.
    case failure
  }

  /// The image with what its decoder knows of it; `nil` if the view shall be empty.
  public var container: ImageContainer?
  /// The kind of image.
  public var phase: Phase
  /// The content mode; `nil` to leave it to the view.
  public var contentMode: ImageContentMode?
  /// A color that takes the place of all the image's colors, and leaves its transparency; `nil` for none. A view that
  /// cannot do that itself shows the ``tintedImage``.
  public var tintColor: PlatformColor?
  /// Seconds in which the image fades in over what was shown; 0 for at once.
  public var fadeDuration: TimeInterval

  /// A presentation, as for a custom transition or a test.
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

  /// The image; `nil` if the view shall be empty.
  public var image: PlatformImage? { container?.image }
  /// The image in its ``tintColor``, computed on the calling thread; the image itself where it has none.
  public var tintedImage: PlatformImage? {
    guard let tintColor else { return image }
    return image?.withTintColor(tintColor)
  }
  /// A Boolean value that indicates whether the image fades in.
  public var isAnimated: Bool { fadeDuration > 0 }
}
