import Foundation

/// The entries of an ``ImageCache`` in order of use: a plain value, doubly linked by places in an array.
struct LeastRecentlyUsed {
  private struct Entry {
    var key: ImageCacheKey?
    var container: ImageContainer?
    var cost = 0
    var expires = TimeInterval.infinity
    /// Towards the most recently used.
    var newer = none
    var older = none
  }

  private static var none: Int32 { -1 }

  private var places: [ImageCacheKey: Int32] = [:]
  private var entries: [Entry] = []
  private var free: [Int32] = []
  private var newest = none
  private var oldest = none
  private var released: [ImageContainer] = []

  private(set) var totalCost = 0
  var totalCount: Int { places.count }

  var costLimit: Int { didSet { trimToLimits() } }
  var countLimit: Int { didSet { trimToLimits() } }
  var entryCostLimit = 0.1
  var ttl: TimeInterval?

  init(costLimit: Int, countLimit: Int) {
    self.costLimit = costLimit
    self.countLimit = countLimit
  }

  struct Lookup {
    var found: ImageContainer?
    /// What was removed on the way, to be released outside the lock.
    var expired: ImageContainer?
  }

  /// The picture of `key`, which becomes the most recently used.
  mutating func value(for key: ImageCacheKey, now: () -> TimeInterval) -> Lookup {
    guard let place = places[key] else { return Lookup() }
    // The clock is read for entries that have an end alone.
    if entries[Int(place)].expires != .infinity, entries[Int(place)].expires <= now() {
      let expired = entries[Int(place)].container
      remove(at: place)
      released = []
      return Lookup(expired: expired)
    }
    if place != newest {
      unlink(place)
      linkAsNewest(place)
    }
    return Lookup(found: entries[Int(place)].container)
  }

  /// The picture of `key`, whose place in the order stays as it is.
  func peek(_ key: ImageCacheKey, now: () -> TimeInterval) -> ImageContainer? {
    guard let place = places[key] else { return nil }
    let entry = entries[Int(place)]
    return entry.expires == .infinity || entry.expires > now() ? entry.container : nil
  }

  /// Whether one picture may cost so much.
  func takes(cost: Int) -> Bool { Double(cost) <= Double(costLimit) * entryCostLimit }

  mutating func store(_ container: ImageContainer, for key: ImageCacheKey, cost: Int, now: () -> TimeInterval) {
    guard takes(cost: cost) else {
      // What was there under the key is out of date.
      return remove(key)
    }
    let expires = ttl.map { now() + $0 } ?? .infinity
    if let place = places[key] {
      totalCost += cost - entries[Int(place)].cost
      if let old = entries[Int(place)].container { released.append(old) }
      entries[Int(place)].container = container
      entries[Int(place)].cost = cost
      entries[Int(place)].expires = expires
      if place != newest {
        unlink(place)
        linkAsNewest(place)
      }
    } else {
      let place: Int32
      let entry = Entry(key: key, container: container, cost: cost, expires: expires)
      if let reused = free.popLast() {
        place = reused
        entries[Int(place)] = entry
      } else {
        place = Int32(entries.count)
        entries.append(entry)
      }
      places[key] = place
      totalCost += cost
      linkAsNewest(place)
    }
    trimToLimits()
  }

  mutating func remove(_ key: ImageCacheKey) {
    if let place = places[key] { remove(at: place) }
  }

  private mutating func trimToLimits() { trim(toCost: costLimit, count: countLimit) }

  mutating func trim(toCost cost: Int, count: Int) {
    while oldest != Self.none, totalCost > cost || totalCount > count { remove(at: oldest) }
  }

  /// What has been removed, to be released outside the lock.
  mutating func takeReleased() -> [ImageContainer] {
    guard !released.isEmpty else { return [] }
    defer { released = [] }
    return released
  }

  private mutating func remove(at place: Int32) {
    unlink(place)
    let entry = entries[Int(place)]
    entries[Int(place)] = Entry()
    free.append(place)
    totalCost -= entry.cost
    if let key = entry.key { places[key] = nil }
    if let container = entry.container { released.append(container) }
  }

  private mutating func linkAsNewest(_ place: Int32) {
    entries[Int(place)].older = newest
    entries[Int(place)].newer = Self.none
    if newest == Self.none {
      oldest = place
    } else {
      entries[Int(newest)].newer = place
    }
    newest = place
  }

  private mutating func unlink(_ place: Int32) {
    let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
    if newer == Self.none { newest = older } else { entries[Int(newer)].older = older }
    if older == Self.none { oldest = newer } else { entries[Int(older)].newer = newer }
  }
}
