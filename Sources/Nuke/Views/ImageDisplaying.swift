public import Foundation
public import NukeImaging

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
@MainActor public protocol ImageDisplaying: AnyObject {
  /// Shows a picture, or none, and ends what it was showing, a transition on its way too.
  func display(_ presentation: ImagePresentation)

  /// The place of the view's load.
  ///
  /// A view stores one, in a property with this name, so that its load is cancelled in the moment in which the view is
  /// destroyed. Where it does not, a slot is kept for it as long as something loads, and that a view has gone is noticed
  /// by its load's next event, or when other such views have begun to load.
  var imageLoading: ImageLoadingSlot { get }
}

/// A view that shows pictures plainly, as version 13 spells it: without content modes, tint colours and fades of its own.
@MainActor public protocol Nuke_ImageDisplaying: ImageDisplaying {
  /// Shows a picture, or none.
  ///
  /// - Parameters:
  ///   - image: the picture; nil for none.
  ///   - data: the encoded original of a moving picture, where its decoder keeps it.
  func nuke_display(image: PlatformImage?, data: Data?)
}

extension Nuke_ImageDisplaying {
  /// Shows the picture alone.
  public func display(_ presentation: ImagePresentation) {
    nuke_display(image: presentation.image, data: presentation.container?.data)
  }
}

/// What pictures are loaded into.
public typealias ImageDisplayingView = ImageDisplaying
