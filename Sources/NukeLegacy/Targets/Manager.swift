import Dispatch
public import Foundation
import Nuke

/// Loads images into targets, for each of them one at a time.
///
/// ```swift
/// Manager.shared.loadImage(with: request, into: view) { [weak view] response, isFromMemoryCache in
///   view?.handle(response: response, isFromMemoryCache: isFromMemoryCache)
/// }
/// ```
///
/// A new load for a target gives the old one up, whichever manager began that. An image in the memory cache is handed
/// over before the call returns. All calls about targets are made on the main actor.
public final class Manager: Loading {
  /// A closure that receives the image or the error, and whether the image was in memory.
  public typealias Handler = @MainActor (_ response: Response, _ isFromMemoryCache: Bool) -> Void

  /// Loads with ``Loader/shared``, and looks into ``Cache/shared`` first.
  public static let shared = Manager(loader: Loader.shared, cache: Cache.shared)

  /// Loads what is not in memory.
  public let loader: any Loading
  /// Is looked into first, and gets what was loaded.
  public let cache: (any Caching)?

  /// A manager.
  ///
  /// - Parameters:
  ///   - loader: loads what is not in memory.
  ///   - cache: is looked into first, and gets what was loaded; `nil` for none.
  public init(loader: any Loading, cache: (any Caching)? = nil) {
    self.loader = loader
    self.cache = cache
  }

  // MARK: Into targets

  /// Loads what `request` asks for and hands it to `target`; see ``loadImage(with:into:handler:)``.
  @preconcurrency @MainActor
  public func loadImage(with request: Request, into target: any Target) {
    loadImage(with: request, into: target) { [weak target] response, isFromMemoryCache in
      target?.handle(response: response, isFromMemoryCache: isFromMemoryCache)
    }
  }

  /// Loads the image at `url` and hands it to `target`; see ``loadImage(with:into:handler:)``.
  @preconcurrency @MainActor
  public func loadImage(with url: URL, into target: any Target) { loadImage(with: Request(url: url), into: target) }

  /// Loads what `request` asks for.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - target: whom it is for. It is not kept alive, and the load is given up when it is destroyed; see ``Target``.
  ///   - handler: called once, or not at all where the load was given up. With an image from memory it is called before
  ///     this returns.
  @preconcurrency @MainActor
  public func loadImage(with request: Request, into target: AnyObject, handler: @escaping Handler) {
    let slot = ImageLoadingSlot.slot(for: target)
    let previous = slot.vacate()
    // Behind the start of this load, which can then share the work of an equal one.
    defer { previous?.cancel() }
    if let image = image(of: request) { return handler(.success(image), true) }

    let source = CancellationTokenSource()
    let load = SlotLoad(ManagedLoad(target: target, slot: slot, handler: handler))
    load.run(source)
    slot.occupy(load)
    self.load(request, token: source.token).observe { [weak load] response in
      // One that is no longer wanted has been let go.
      guard load != nil else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { load?.end(with: response) }
      }
    }
  }

  /// Gives up what is being loaded for `target`: neither it nor a handler is called any more.
  @preconcurrency @MainActor
  public func cancelRequest(for target: AnyObject) { ImageLoadingSlot.slot(for: target).vacate()?.cancel() }

  // MARK: Loading

  /// Gives what `request` asks for, from memory or else from the ``loader``.
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
      // A loader may have stored it in the same cache.
      if case .success(let image) = response, cache[request] !== image { cache[request] = image }
    }
    return promise
  }
}

/// Whom a load is for.
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
  /// The slot of any object.
  fileprivate static func slot(for target: AnyObject) -> ImageLoadingSlot {
    (target as? any ImageLoadingTarget)?.imageLoading ?? slot(of: target)
  }
}

extension CancellationTokenSource: Cancellable {}
