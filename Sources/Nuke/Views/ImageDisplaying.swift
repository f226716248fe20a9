public import Foundation
public import NukeImaging

/// Something that pictures are loaded for, one at a time.
@MainActor public protocol ImageLoadingTarget: AnyObject {
  /// The place of its load.
  ///
  /// A target stores one, in a property with this name, so that its load is cancelled in the moment in which it is
  /// destroyed. Where it does not, a slot is kept for it as long as something loads, and that a target has gone is noticed
  /// by its load's next event, or when other such targets have begun to load.
  var imageLoading: ImageLoadingSlot { get }
}

/// Something that shows pictures: a view of a toolkit, or of a program's own.
///
/// It says how it shows one, and ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)`` does the rest:
///
/// ```swift
/// final class PictureView: ImageDisplaying {
///   let imageLoading = ImageLoadingSlot()
///   private var picture: PlatformImage?
///
///   func display(_ presentation: ImagePresentation) { picture = presentation.image }
/// }
/// ```
///
/// All of it is called on the main actor.
@MainActor public protocol ImageDisplaying: ImageLoadingTarget {
  /// Shows a picture, or none, and ends what it was showing, a transition on its way too.
  func display(_ presentation: ImagePresentation)
}

/// A view that shows pictures plainly, as version 13 spells it: without content modes and fades of its own.
@MainActor public protocol Nuke_ImageDisplaying: ImageDisplaying {
  /// Shows a picture, or none.
  ///
  /// - Parameters:
  ///   - image: the picture, in its tint colour if it has one; nil for none.
  ///   - data: the encoded original of a moving picture, where its decoder keeps it.
  func nuke_display(image: PlatformImage?, data: Data?)

  /// Shows a picture, or none, as version 8 spells it: for views that know nothing of moving pictures.
  func nuke_display(image: PlatformImage?)
}

extension Nuke_ImageDisplaying {
  /// Shows the picture alone.
  public func display(_ presentation: ImagePresentation) {
    nuke_display(image: presentation.tintedImage, data: presentation.container?.data)
  }
}

/// What pictures are loaded into.
public typealias ImageDisplayingView = ImageDisplaying
