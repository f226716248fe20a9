public import Foundation

// `Nuke.loadImage(with:into:)` of version 4. A name qualified with a module is looked up only in that module, so that
// the functions must be here. They call NukeLegacy, which contains the types of version 4.

/// A request of version 4, which is NukeLegacy's `Request`.
public protocol Version4Request {
  /// The type that receives an image.
  associatedtype Target
  /// The type that a handler receives.
  associatedtype Response

  /// Loads the image and passes it to `target`.
  @MainActor func nuke_load(into target: Target)
  /// Loads the image for `target` and passes it to `handler`.
  @MainActor func nuke_load(into target: AnyObject, handler: @escaping @MainActor (Response, Bool) -> Void)
}

/// A target of version 4, which is NukeLegacy's `Target`.
public protocol Version4Target: ImageLoadingTarget {
  /// Loads the image at `url` and displays it.
  func nuke_load(from url: URL)
}

/// Loads the image of a request of version 4, and passes it to `target`.
@preconcurrency @MainActor
public func loadImage<Wanted: Version4Request>(with request: Wanted, into target: Wanted.Target) {
  request.nuke_load(into: target)
}

/// Loads the image of a request of version 4, and passes it to `handler`.
@preconcurrency @MainActor
public func loadImage<Wanted: Version4Request>(
  with request: Wanted, into target: AnyObject,
  handler: @escaping @MainActor (_ response: Wanted.Response, _ isFromMemoryCache: Bool) -> Void
) { request.nuke_load(into: target, handler: handler) }

/// Loads the image at `url`, and passes it to a target of version 4.
@preconcurrency @MainActor @_disfavoredOverload
public func loadImage(with url: URL, into target: any Version4Target) { target.nuke_load(from: url) }
