public import Foundation
public import NukeImaging

/// Something that images are loaded for, one at a time.
@MainActor public protocol ImageLoadingTarget: AnyObject {
  /// The place of its load.
  ///
  /// A target stores one, in a property with this name, so that its load is canceled in the moment in which it is
  /// destroyed. Where it does not, a slot is kept for it as long as something loads, and that a target has gone is
  /// noticed by its load's next event, or when other such targets have begun to load.
  var imageLoading: ImageLoadingSlot { get }
}

/// Something that shows images: a view of a toolkit, or of a program's own.
///
/// It says how it shows one, and ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)`` does the rest:
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
/// All of it is called on the main actor.
@MainActor public protocol ImageDisplaying: ImageLoadingTarget {
  /// Shows an image, or none, and ends what it was showing, a transition on its way too.
  func display(_ presentation: ImagePresentation)
}

/// A view that shows images plainly, as version 13 spells it: without content modes and fades of its own.
@MainActor public protocol Nuke_ImageDisplaying: ImageDisplaying {
  /// Shows an image, or none.
  ///
  /// - Parameters:
  ///   - image: the image, in its tint color if it has one; `nil` for none.
  ///   - data: the encoded original of an animated image, where its decoder keeps it.
  func nuke_display(image: PlatformImage?, data: Data?)

  /// Shows an image, or none, as version 8 spells it: for views that know nothing of animated images.
  func nuke_display(image: PlatformImage?)
}

extension Nuke_ImageDisplaying {
  /// Shows the image alone.
  public func display(_ presentation: ImagePresentation) {
    nuke_display(image: presentation.tintedImage, data: presentation.container?.data)
  }
}

/// A view that images are loaded into.
public typealias ImageDisplayingView = ImageDisplaying
