public import Foundation
public import NukeImaging

// A view implements `nuke_display(image:data:)` or the requirement of version 8. A type that implements neither gets a
// compiler warning, and displays nothing.

extension Nuke_ImageDisplaying {
  /// Calls `nuke_display(image:)`, for views that implement the requirement of version 8.
  @available(*, deprecated, message: "Implement nuke_display(image:data:) in place of nuke_display(image:)")
  public func nuke_display(image: PlatformImage?, data: Data?) { nuke_display(image: image) }

  /// Does nothing. Views of the current version implement `nuke_display(image:data:)`.
  public func nuke_display(image: PlatformImage?) {}
}
