import Dispatch
public import Foundation
public import Nuke

/// The result of a load: an image or an error.
public typealias Response = Result<Image, any Error>

/// An object that images are loaded into.
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
/// A load does not retain its target. With an `ImageLoadingSlot`, the load is canceled when the target is deinitialized.
/// Without one, as in version 4, it is canceled later.
@preconcurrency @MainActor public protocol Target: Version4Target {
  /// Receives the result of a load, on the main actor.
  ///
  /// - Parameters:
  ///   - response: the image, or an error.
  ///   - isFromMemoryCache: `true` if the image was in memory. The call then occurs before the load function returns.
  func handle(response: Response, isFromMemoryCache: Bool)
}

extension Target {
  public func nuke_load(from url: URL) { Manager.shared.loadImage(with: Request(url: url), into: self) }
}

extension Target where Self: ImageDisplaying {
  /// Displays the image, with a fade of 0.25 s unless it was in memory. Ignores errors.
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

/// Cancels the load of `target`. Neither it nor a handler is called anymore.
@preconcurrency @MainActor @_disfavoredOverload
public func cancelRequest(for target: AnyObject) { Manager.shared.cancelRequest(for: target) }

/// Loads images into targets, one image at a time for each target.
///
/// ```swift
/// Manager.shared.loadImage(with: request, into: view) { [weak view] response, isFromMemoryCache in
///   view?.handle(response: response, isFromMemoryCache: isFromMemoryCache)
/// }
/// ```
///
/// A new load cancels the previous one of the target, even that of another manager. An image in the memory cache is
/// delivered before the call returns. Methods with targets are called on the main actor.
public final class Manager: Loading {
  /// A closure that receives the image or the error, and whether the image was in memory.
  public typealias Handler = @MainActor (_ response: Response, _ isFromMemoryCache: Bool) -> Void

  /// A manager with ``Loader/shared`` and ``Cache/shared``.
  public static let shared = Manager(loader: Loader.shared, cache: Cache.shared)

  /// The loader of images that are not in memory.
  public let loader: any Loading
  /// The memory cache.
  public let cache: (any Caching)?

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - loader: loads images that are not in memory.
  ///   - cache: stores loaded images, and is read first.
  public init(loader: any Loading, cache: (any Caching)? = nil) {
    self.loader = loader
    self.cache = cache
  }

  // MARK: Into targets

  /// Loads an image into `target`. See ``loadImage(with:into:handler:)``.
  @preconcurrency @MainActor
  public func loadImage(with request: Request, into target: any Target) {
    loadImage(with: request, into: target) { [weak target] response, isFromMemoryCache in
      target?.handle(response: response, isFromMemoryCache: isFromMemoryCache)
    }
  }

  /// Loads the image at `url` into `target`. See ``loadImage(with:into:handler:)``.
  @preconcurrency @MainActor
  public func loadImage(with url: URL, into target: any Target) { loadImage(with: Request(url: url), into: target) }

  /// Loads an image for a target.
  ///
  /// - Parameters:
  ///   - request: the image to load.
  ///   - target: the target, which is not retained. The load is canceled when it is deinitialized; see ``Target``.
  ///   - handler: called once, unless the load is canceled. With an image from memory, it is called before this method
  ///     returns.
  @preconcurrency @MainActor
  public func loadImage(with request: Request, into target: AnyObject, handler: @escaping Handler) {
    let slot = ImageLoadingSlot.slot(for: target)
    let previous = slot.vacate()
    // Canceled after this load has started, which can then share work with the previous one.
    defer { previous?.cancel() }
    if let image = image(of: request) {
      slot.replaceLoad { handler(.success(image), true) }
      return
    }

    let source = CancellationTokenSource()
    let load = SlotLoad(ManagedLoad(target: target, slot: slot, handler: handler))
    load.run(source)
    slot.occupy(load)
    self.load(request, token: source.token).observe { [weak load] response in
      // A canceled load has been released.
      guard load != nil else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { load?.end(with: response) }
      }
    }
  }

  /// Cancels the load of `target`. Neither it nor a handler is called anymore.
  @preconcurrency @MainActor
  public func cancelRequest(for target: AnyObject) { ImageLoadingSlot.slot(for: target).vacate()?.cancel() }

  // MARK: Loading

  /// Returns an image from memory, or loads it with the ``loader``.
  @discardableResult
  public func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    if token?.isCancelling == true { return Promise(error: ImagePipeline.Error.cancelled) }
    if let image = image(of: request) { return Promise(value: image) }
    return load(request, token: token)
  }

  private func image(of request: Request) -> Image? {
    request.memoryCacheOptions.readAllowed ? cache?[request] : nil
  }

  private func load(_ request: Request, token: CancellationToken?) -> Promise<Image> {
    let promise = loader.loadImage(with: request, token: token)
    guard request.memoryCacheOptions.writeAllowed, let cache else { return promise }
    promise.observe { response in
      // The loader may use the same cache.
      if case .success(let image) = response, cache[request] !== image { cache[request] = image }
    }
    return promise
  }
}

/// The target of a load.
@MainActor private final class ManagedLoad {
  weak var target: AnyObject?
  weak var slot: ImageLoadingSlot?
  let handler: Manager.Handler

  init(target: AnyObject, slot: ImageLoadingSlot, handler: @escaping Manager.Handler) {
    self.target = target
    self.slot = slot
    self.handler = handler
  }
}

extension SlotLoad<ManagedLoad> {
  fileprivate func end(with response: Response) {
    guard let handlers else { return }
    let isWanted = handlers.target != nil
    handlers.slot?.vacate(self)
    if isWanted { handlers.handler(response, false) }
  }
}

extension ImageLoadingSlot {
  /// Returns the slot of any object.
  fileprivate static func slot(for target: AnyObject) -> ImageLoadingSlot {
    (target as? any ImageLoadingTarget)?.imageLoading ?? slot(of: target)
  }
}

extension CancellationTokenSource: Cancellable {}
