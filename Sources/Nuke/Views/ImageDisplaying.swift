public import Foundation
public import NukeImaging

/// A target for loaded images, one at a time.
@MainActor public protocol ImageLoadingTarget: AnyObject {
  /// Holds the running load of the target.
  ///
  /// Store a slot in a property with this name, so that the load is canceled as soon as the target is released. For a
  /// target without one, a slot is kept while an image loads. A released target is then detected at the next event of
  /// its load, or when other such targets start loads.
  var imageLoading: ImageLoadingSlot { get }
}

/// A view that shows images. Views of a toolkit and custom views can conform to it.
///
/// Implement `display`, and load images with ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)``:
///
/// ```swift
/// final class PhotoView: ImageDisplaying {
///   let imageLoading = ImageLoadingSlot()
///   private var image: PlatformImage?
///
///   func display(_ presentation: ImagePresentation) { image = presentation.image }
/// }
/// ```
///
/// All methods are called on the main actor.
@MainActor public protocol ImageDisplaying: ImageLoadingTarget {
  /// Shows an image, or none. Ends a transition that is in progress.
  func display(_ presentation: ImagePresentation)
}

/// A view without support for content modes and transitions. It has the method of Nuke 13.
@MainActor public protocol Nuke_ImageDisplaying: ImageDisplaying {
  /// Shows an image, or none.
  ///
  /// - Parameters:
  ///   - image: the image, in its tint color if it has one; `nil` for none.
  ///   - data: the encoded original of an animated image, if its decoder keeps it.
  func nuke_display(image: PlatformImage?, data: Data?)

  /// Shows an image, or none. This is the method of Nuke 8, for views without animated images.
  func nuke_display(image: PlatformImage?)
}

extension Nuke_ImageDisplaying {
  /// Shows only the image.
  public func display(_ presentation: ImagePresentation) {
    nuke_display(image: presentation.tintedImage, data: presentation.container?.data)
  }
}

/// A view that images are loaded into.
public typealias ImageDisplayingView = ImageDisplaying
