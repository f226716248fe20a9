public import Foundation

/// Loads images into a cache before they are needed.
///
/// ```swift
/// let prefetcher = ImagePrefetcher()
/// prefetcher.startPrefetching(with: urls)
/// // They are not going to be shown after all.
/// prefetcher.stopPrefetching(with: urls)
/// ```
///
/// Prefetching makes way for ordinary loads: it has a low priority, and one slot of the pipeline's loading queue is
/// kept free of it. An image that an ordinary load asks for while it is prefetched is loaded once for both, at the
/// priority of that load. A prefetcher may be used from any thread, and all it prefetches is given up when it is
/// released.
public final class ImagePrefetcher: Sendable {
  /// The cache that prefetched images are stored in.
  public enum Destination: Sendable {
    /// Images are loaded, decoded and processed, and kept in the memory cache and in those below it.
    case memoryCache
    /// Data is loaded and kept in the disk caches alone. Nothing is decoded, which saves processor time and memory.
    /// Local files and images that closures give decoded are passed over, since they are not kept as data.
    case diskCache
  }

  private let runner: Runner

  /// A prefetcher for the caches of `pipeline`.
  ///
  /// - Parameters:
  ///   - pipeline: loads the images.
  ///   - destination: where they go.
  ///   - maxConcurrentRequestCount: how many requests the pipeline gets at a time, at least one; the others wait in the
  ///     order in which they were asked for.
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

  /// A Boolean value that indicates whether no further requests are started. What is under way goes on.
  public var isPaused: Bool {
    get { runner.isPaused }
    set { runner.isPaused = newValue }
  }

  /// Is called on the main actor each time nothing is left of what was asked for: all has been loaded, was there
  /// already, has failed, or was stopped. `nil` unless it is set.
  public var didComplete: (@MainActor @Sendable () -> Void)? {
    get { runner.didComplete }
    set { runner.didComplete = newValue }
  }

  /// Is called with each request that has ended by itself, well or badly, or for which there was nothing to do, on any
  /// thread; `nil` unless it is set.
  package var didEnd: (@Sendable (ImageRequest) -> Void)? {
    get { runner.didEnd }
    set { runner.didEnd = newValue }
  }

  /// Prefetches the images at `urls`, as ``startPrefetching(with:)-([ImageRequest])`` does.
  public func startPrefetching(with urls: [URL]) { runner.add(.startURLs(urls)) }

  /// Prefetches what `requests` ask for, one after the other, and returns at once. What is being prefetched already is
  /// not asked for again, and what is in the memory cache is passed over where that is the destination.
  public func startPrefetching(with requests: [ImageRequest]) { runner.add(.start(requests)) }

  /// Gives up the images at `urls`, as ``stopPrefetching(with:)-([ImageRequest])`` does.
  public func stopPrefetching(with urls: [URL]) { runner.add(.stopURLs(urls)) }

  /// Gives up what was to be prefetched for equal requests. Loads that others wait for as well go on for them.
  public func stopPrefetching(with requests: [ImageRequest]) { runner.add(.stop(requests)) }

  /// Gives up everything.
  public func stopPrefetching() { runner.add(.stopAll) }

  /// Returns once all that has been asked for so far has been noted. What is loaded need not be there yet.
  package func ordersFollowed() async {
    await withCheckedContinuation { continuation in runner.add(.call { continuation.resume() }) }
  }
}
