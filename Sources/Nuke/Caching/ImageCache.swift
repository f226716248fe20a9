public import Foundation
import NukeImaging

/// Decoded pictures in memory, the least recently used going first once there is no room.
///
/// Bounded by what the pictures cost in bytes and by their number. May be used from any thread.
public final class ImageCache: ImageCaching {
  /// The cache that pipelines share unless told otherwise.
  public static let shared = ImageCache()

  /// Bytes: a fifth of the memory that this process may use, by the limit of its control group where there is one.
  public static var defaultCostLimit: Int { MemoryLimit.bytes / 5 }

  private let state: Lock<LeastRecentlyUsed>
  private let now: @Sendable () -> TimeInterval

  /// A cache with limits.
  ///
  /// - Parameters:
  ///   - costLimit: bytes of pixels and kept data.
  ///   - countLimit: the most pictures.
  public convenience init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit, now: { TimeInterval(Clock.now) / 1e9 })
  }

  /// A cache with the time handed in, in seconds since some moment.
  package init(costLimit: Int, countLimit: Int = .max, now: @escaping @Sendable () -> TimeInterval) {
    state = Lock(LeastRecentlyUsed(costLimit: costLimit, countLimit: countLimit))
    self.now = now
  }

  /// Bytes that all pictures may take.
  public var costLimit: Int {
    get { state.withLock { $0.costLimit } }
    set { release { $0.costLimit = newValue } }
  }

  /// The most pictures.
  public var countLimit: Int {
    get { state.withLock { $0.countLimit } }
    set { release { $0.countLimit = newValue } }
  }

  /// Seconds a picture is kept; nil, which is the default, for as long as there is room. Counts for pictures stored
  /// from now on.
  public var ttl: TimeInterval? {
    get { state.withLock { $0.ttl } }
    set { state.withLock { $0.ttl = newValue } }
  }

  /// The part of ``costLimit`` that one picture may take; 0.1 by default. A larger one is not kept.
  public var entryCostLimit: Double {
    get { state.withLock { $0.entryCostLimit } }
    set { state.withLock { $0.entryCostLimit = newValue } }
  }

  /// Bytes of all pictures that are kept.
  public var totalCost: Int { state.withLock { $0.totalCost } }
  /// Pictures that are kept.
  public var totalCount: Int { state.withLock { $0.totalCount } }

  /// The picture of `key`, which becomes the most recently used. Setting stores it, nil removes it.
  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get {
      let expired: LeastRecentlyUsed.Lookup = state.withLock { $0.value(for: key, now: now) }
      return expired.found
    }
    set {
      release { state in
        if let newValue {
          state.store(newValue, for: key, cost: newValue.byteCount, now: now)
        } else {
          state.remove(key)
        }
      }
    }
  }

  /// The picture of `key`. It counts as no use.
  package func peek(_ key: ImageCacheKey) -> ImageContainer? { state.withLock { $0.peek(key, now: now) } }

  /// Whether a picture that costs so many bytes is kept.
  package func takes(cost: Int) -> Bool { state.withLock { $0.takes(cost: cost) } }

  /// Removes the least recently used pictures until they cost `cost` bytes at most.
  public func trim(toCost cost: Int) { release { $0.trim(toCost: cost, count: .max) } }

  /// Removes the least recently used pictures until there are `count` at most.
  public func trim(toCount count: Int) { release { $0.trim(toCost: .max, count: count) } }

  /// Removes all pictures.
  public func removeAll() { release { $0.trim(toCost: 0, count: 0) } }

  /// Changes the cache; what goes is released outside the lock, since freeing pixels takes its time.
  private func release(_ body: (inout LeastRecentlyUsed) -> Void) {
    let released = state.withLock { state in
      body(&state)
      return state.takeReleased()
    }
    withExtendedLifetime(released) {}
  }
}
