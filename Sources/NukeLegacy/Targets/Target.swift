public import Foundation
public import Nuke

/// The result of a load: an image or an error.
public typealias Response = Result<Image, any Error>

/// Something that images are loaded into: it takes what comes.
///
/// ```swift
/// final class PhotoView: Target {
///   let imageLoading = ImageLoadingSlot()
///
///   func handle(response: Response, isFromMemoryCache: Bool) {
///     if case .success(let image) = response { show(image, isAnimated: !isFromMemoryCache) }
///   }
/// }
/// Nuke.loadImage(with: request, into: view)
/// ```
///
/// It is not kept alive by its load. The slot is what has the load canceled when the target is destroyed; one that
/// stores none, as those of version 4, is noticed later to have gone.
@preconcurrency @MainActor public protocol Target: Version4Target {
  /// Takes what a load gave, on the main actor.
  ///
  /// - Parameters:
  ///   - response: the image, or the error that came instead.
  ///   - isFromMemoryCache: whether the image was in memory, so that the call comes before that returns which began the
  ///     load.
  func handle(response: Response, isFromMemoryCache: Bool)
}

extension Target {
  public func nuke_load(from url: URL) { Manager.shared.loadImage(with: Request(url: url), into: self) }
}

extension Target where Self: ImageDisplaying {
  /// Shows the image, with a fade of a quarter of a second unless it was in memory; after an error nothing changes.
  public func handle(response: Response, isFromMemoryCache: Bool) {
    guard case .success(let image) = response else { return }
    display(
      ImagePresentation(
        container: ImageContainer(image: image), phase: .success, fadeDuration: isFromMemoryCache ? 0 : 0.25))
  }
}

extension Request: Version4Request {
  public typealias Target = any NukeLegacy.Target

  public func nuke_load(into target: any NukeLegacy.Target) { Manager.shared.loadImage(with: self, into: target) }

  public func nuke_load(into target: AnyObject, handler: @escaping Manager.Handler) {
    Manager.shared.loadImage(with: self, into: target, handler: handler)
  }
}

/// Gives up what is being loaded for `target`: neither it nor a handler is called any more.
@preconcurrency @MainActor @_disfavoredOverload
public func cancelRequest(for target: AnyObject) { Manager.shared.cancelRequest(for: target) }
