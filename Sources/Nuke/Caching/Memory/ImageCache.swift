public import Foundation
import NukeBase

/// A memory cache for decoded images that evicts the least recently used images.
///
/// It is limited by the cost of the images in bytes and by their number. It can be used from any thread. If several
/// threads look up images at the same time, the order of these uses may be recorded imprecisely.
///
/// When the control group of the process or the machine runs short of memory, the cache evicts half of its cost; nine
/// tenths if memory is nearly exhausted.
public final class ImageCache: ImageCaching {
  /// The default cache of pipelines.
  public static let shared = ImageCache()

  /// A fifth of the memory that this process may use, in bytes. If the process is in a control group with a limit, that
  /// limit applies.
  public static var defaultCostLimit: Int { MemoryLimit.bytes / 5 }

  private let entries: Entries
  private let registration: MemoryPressure.Registration

  /// Creates a cache with limits.
  ///
  /// - Parameters:
  ///   - costLimit: the maximum size of pixels and attached data, in bytes.
  ///   - countLimit: the maximum number of images.
  public convenience init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit, now: { TimeInterval(MonotonicClock.now) / 1e9 })
  }

  /// Creates a cache with a clock, in seconds.
  ///
  /// - Parameter pressure: reports memory pressure.
  package init(
    costLimit: Int, countLimit: Int = .max, pressure: MemoryPressure = .shared,
    now: @escaping @Sendable () -> TimeInterval
  ) {
    let entries = Entries(costLimit: costLimit, countLimit: countLimit, now: now)
    self.entries = entries
    registration = pressure.register { entries.trim(toPart: $0.keptPart) }
  }

  /// The maximum cost of all images, in bytes.
  public var costLimit: Int {
    get { entries.accounting.withLock { $0.costLimit } }
    set { entries.changeLimit { $0.costLimit = newValue } }
  }

  /// The maximum number of images.
  public var countLimit: Int {
    get { entries.accounting.withLock { $0.countLimit } }
    set { entries.changeLimit { $0.countLimit = newValue } }
  }

  /// The lifetime of an image in seconds; `nil`, the default, for no limit. Applies to images that are stored after the
  /// change.
  public var ttl: TimeInterval? {
    get { entries.accounting.withLock { $0.ttl } }
    set { entries.accounting.withLock { $0.ttl = newValue } }
  }

  /// The maximum cost of one image as a fraction of ``costLimit``. The default is 0.1. Larger images are not stored.
  public var entryCostLimit: Double {
    get { entries.accounting.withLock { $0.entryCostLimit } }
    set { entries.accounting.withLock { $0.entryCostLimit = newValue } }
  }

  /// The cost of all stored images, in bytes.
  public var totalCost: Int { entries.accounting.withLock { $0.totalCost } }
  /// The number of stored images.
  public var totalCount: Int { entries.accounting.withLock { $0.totalCount } }

  /// The image of `key`, which becomes the most recently used. Setting stores it, `nil` removes it.
  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get { entries.find(key, isUse: true) }
    set {
      if let newValue {
        entries.store(newValue, for: key)
      } else {
        entries.remove(key)
      }
    }
  }

  /// Returns the image of `key`. Does not count as a use.
  package func peek(_ key: ImageCacheKey) -> ImageContainer? { entries.find(key, isUse: false) }

  /// Returns `true` if an image of this cost would be stored.
  package func takes(cost: Int) -> Bool { entries.accounting.withLock { $0.takes(cost: cost) } }

  /// Evicts the least recently used images until the total cost is at most `cost` bytes.
  public func trim(toCost cost: Int) { entries.trim(toCost: cost, count: .max) }

  /// Evicts the least recently used images until there are at most `count`.
  public func trim(toCount count: Int) { entries.trim(toCost: .max, count: count) }

  /// Removes all images.
  public func removeAll() { entries.trim(toCost: 0, count: 0) }

  /// Evicts nine tenths of the total cost, the least recently used images first. Call it when the program is no longer
  /// visible, such as when its last window is hidden.
  public func didEnterBackground() { entries.trim(toPart: MemoryPressure.Level.critical.keptPart) }
}
