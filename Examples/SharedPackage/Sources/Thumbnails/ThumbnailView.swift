import Foundation
import Nuke
import NukeExtensions

#if canImport(UIKit)
  import UIKit

  public typealias ThumbnailView = UIImageView
#elseif canImport(AppKit)
  import AppKit

  public typealias ThumbnailView = NSImageView
#else
  /// A view of the program's own, since Linux has no image view that could be extended. GTK 4 has one: `NukeGTK`.
  public final class ThumbnailView: Nuke_ImageDisplaying {
    public private(set) var image: PlatformImage?

    public init() {}

    public func nuke_display(image: PlatformImage?, data: Data?) { self.image = image }
  }
#endif

extension Thumbnails {
  @MainActor public func show(_ url: URL?, in view: ThumbnailView, completion: @escaping @MainActor () -> Void) {
    var options = ImageLoadingOptions()
    options.pipeline = pipeline
    loadImage(with: url.map { request(for: $0) }, options: options, into: view) { _ in completion() }
  }
}
