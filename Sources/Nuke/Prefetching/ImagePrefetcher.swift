public import Foundation
import NukeHTTP

/// Loads images into a cache before they are needed.
///
/// ```swift
/// let prefetcher = ImagePrefetcher()
/// prefetcher.startPrefetching(with: urls)
/// // They are not going to be shown after all.
/// prefetcher.stopPrefetching(with: urls)
/// ```
///
/// Prefetching does not delay ordinary loads: it has a low priority, and leaves one slot of the loading queue free. An
/// ordinary load of an image that is being prefetched joins the prefetching and raises its priority.
///
/// A prefetcher can be used from any thread. Releasing it cancels its requests.
public final class ImagePrefetcher: Sendable {
  /// The cache that prefetched images are stored in.
  public enum Destination: Sendable {
    /// Loads, decodes and processes images, and stores them in the memory cache and the disk caches.
    case memoryCache
    /// Loads data into the disk caches, without decoding it. This saves processor time and memory.
    /// Local files and images from closures are skipped, since their data is not cached.
    case diskCache
  }

  private let runner: Runner

  /// Creates a prefetcher for the caches of `pipeline`.
  ///
  /// - Parameters:
  ///   - pipeline: loads the images.
  ///   - destination: the cache to load into.
  ///   - maxConcurrentRequestCount: the maximum number of requests that run at a time, at least one. The others wait,
  ///     in the order in which they were added.
  public init(
    pipeline: ImagePipeline = .shared, destination: Destination = .memoryCache, maxConcurrentRequestCount: Int = 2
  ) {
    runner = Runner(pipeline: pipeline, destination: destination, limit: maxConcurrentRequestCount)
  }

  deinit {
    runner.didComplete = nil
    runner.didEnd = nil
    runner.add(.stopAll)
  }

  /// The priority of all prefetching, whatever the requests say. The default is
  /// ``ImageRequest/Priority-swift.enum/low``. A change applies at once, also to running loads.
  public var priority: ImageRequest.Priority {
    get { runner.priority }
    set { runner.priority = newValue }
  }

  /// A Boolean value that indicates whether starting requests is paused. Running requests continue.
  public var isPaused: Bool {
    get { runner.isPaused }
    set { runner.isPaused = newValue }
  }

  /// A closure that is called on the main actor each time all requests have ended: they have been loaded, were cached,
  /// have failed, or were stopped. The default is `nil`.
  public var didComplete: (@MainActor @Sendable () -> Void)? {
    get { runner.didComplete }
    set { runner.didComplete = newValue }
  }

  /// A closure that is called, on any thread, with each request that has succeeded, has failed, or was already cached.
  /// The default is `nil`.
  package var didEnd: (@Sendable (ImageRequest) -> Void)? {
    get { runner.didEnd }
    set { runner.didEnd = newValue }
  }

  /// Prefetches the images at `urls`, as ``startPrefetching(with:)-([ImageRequest])`` does.
  public func startPrefetching(with urls: [URL]) { runner.add(.startURLs(urls)) }

  /// Prefetches `requests` in order, and returns at once. Requests that are being prefetched are not added again. If
  /// the destination is the memory cache, images that are in it are skipped.
  public func startPrefetching(with requests: [ImageRequest]) { runner.add(.start(requests)) }

  /// Stops prefetching the images at `urls`, as ``stopPrefetching(with:)-([ImageRequest])`` does.
  public func stopPrefetching(with urls: [URL]) { runner.add(.stopURLs(urls)) }

  /// Stops prefetching requests equal to `requests`. Loads that are shared with other tasks continue for those.
  public func stopPrefetching(with requests: [ImageRequest]) { runner.add(.stop(requests)) }

  /// Stops all prefetching.
  public func stopPrefetching() { runner.add(.stopAll) }

  /// Returns once all earlier calls have taken effect. Their loads may still be running.
  package func ordersFollowed() async {
    await withCheckedContinuation { continuation in runner.add(.call { continuation.resume() }) }
  }
}
