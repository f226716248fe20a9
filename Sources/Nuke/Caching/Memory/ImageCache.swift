public import Foundation
import NukeImaging

/// Decoded images in memory, the least recently used going first once there is no room.
///
/// Bounded by what the images cost in bytes and by their number. May be used from any thread. Where threads look for
/// images at the very same time, the order of these uses may be known less exactly.
///
/// When memory runs short in the control group of the process, or on the machine, half of what is kept goes; nine tenths
/// when it is nearly at its end.
public final class ImageCache: ImageCaching {
  /// The cache that pipelines share unless told otherwise.
  public static let shared = ImageCache()

  /// Bytes: a fifth of the memory that this process may use, by the limit of its control group where there is one.
  public static var defaultCostLimit: Int { MemoryLimit.bytes / 5 }

  private let entries: Entries
  private let registration: MemoryPressure.Registration

  /// A cache with limits.
  ///
  /// - Parameters:
  ///   - costLimit: bytes of pixels and kept data.
  ///   - countLimit: the most images.
  public convenience init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit, now: { TimeInterval(Clock.now) / 1e9 })
  }

  /// A cache with the time handed in, in seconds since some moment.
  ///
  /// - Parameter pressure: tells when to let go of images.
  package init(
    costLimit: Int, countLimit: Int = .max, pressure: MemoryPressure = .shared,
    now: @escaping @Sendable () -> TimeInterval
  ) {
    let entries = Entries(costLimit: costLimit, countLimit: countLimit, now: now)
    self.entries = entries
    registration = pressure.register { entries.trim(toPart: $0.keptPart) }
  }

  /// Bytes that all images may take.
  public var costLimit: Int {
    get { entries.accounting.withLock { $0.costLimit } }
    set { entries.changeLimit { $0.costLimit = newValue } }
  }

  /// The most images.
  public var countLimit: Int {
    get { entries.accounting.withLock { $0.countLimit } }
    set { entries.changeLimit { $0.countLimit = newValue } }
  }

  /// Seconds an image is kept; `nil`, which is the default, for as long as there is room. Counts for images stored from
  /// now on.
  public var ttl: TimeInterval? {
    get { entries.accounting.withLock { $0.ttl } }
    set { entries.accounting.withLock { $0.ttl = newValue } }
  }

  /// The part of ``costLimit`` that one image may take; 0.1 by default. A larger one is not kept.
  public var entryCostLimit: Double {
    get { entries.accounting.withLock { $0.entryCostLimit } }
    set { entries.accounting.withLock { $0.entryCostLimit = newValue } }
  }

  /// Bytes of all images that are kept.
  public var totalCost: Int { entries.accounting.withLock { $0.totalCost } }
  /// Images that are kept.
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

  /// The image of `key`. It counts as no use.
  package func peek(_ key: ImageCacheKey) -> ImageContainer? { entries.find(key, isUse: false) }

  /// Returns `true` if an image that costs so many bytes is kept.
  package func takes(cost: Int) -> Bool { entries.accounting.withLock { $0.takes(cost: cost) } }

  /// Removes the least recently used images until they cost `cost` bytes at most.
  public func trim(toCost cost: Int) { entries.trim(toCost: cost, count: .max) }

  /// Removes the least recently used images until there are `count` at most.
  public func trim(toCount count: Int) { entries.trim(toCost: .max, count: count) }

  /// Removes all images.
  public func removeAll() { entries.trim(toCost: 0, count: 0) }

  /// Lets go of nine tenths of the cost of what is kept, the least recently used first. To be called when the program is
  /// no longer seen: by one with windows, when the last of them is hidden.
  public func didEnterBackground() { entries.trim(toPart: MemoryPressure.Level.critical.keptPart) }
}
