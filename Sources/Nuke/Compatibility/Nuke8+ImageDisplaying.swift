public import Foundation
public import NukeImaging

// A view implements `nuke_display(image:data:)`, or what version 8 had in its place. One that implements neither is told
// so when it is compiled, and shows nothing.

extension Nuke_ImageDisplaying {
  /// Shows the image by what a view of version 8 implements.
  @available(*, deprecated, message: "Implement nuke_display(image:data:) in place of nuke_display(image:)")
  public func nuke_display(image: PlatformImage?, data: Data?) { nuke_display(image: image) }

  /// Nothing: the view shows images by `nuke_display(image:data:)`.
  public func nuke_display(image: PlatformImage?) {}
}
