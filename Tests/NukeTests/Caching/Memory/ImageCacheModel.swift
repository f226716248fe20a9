import Foundation
import Nuke

/// What an ``ImageCache`` is to hold, worked out the slow way.
struct ImageCacheModel {
  struct Entry {
    let name: Int
    let cost: Int
    let expires: TimeInterval
  }

  /// The most recently used last.
  private(set) var entries: [Entry] = []
  var costLimit = Int.max { didSet { trimToLimits() } }
  var countLimit = Int.max { didSet { trimToLimits() } }
  var entryCostLimit = 1.0
  var ttl: TimeInterval?

  var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

  mutating func store(_ name: Int, cost: Int, now: TimeInterval) {
    remove(name)
    guard Double(cost) <= Double(costLimit) * entryCostLimit else { return }
    entries.append(Entry(name: name, cost: cost, expires: ttl.map { now + $0 } ?? .infinity))
    trimToLimits()
  }

  mutating func use(_ name: Int, now: TimeInterval) -> Int? {
    guard let place = entries.firstIndex(where: { $0.name == name }) else { return nil }
    let entry = entries.remove(at: place)
    guard entry.expires > now else { return nil }
    entries.append(entry)
    return entry.cost
  }

  func peek(_ name: Int, now: TimeInterval) -> Int? {
    entries.first { $0.name == name && $0.expires > now }?.cost
  }

  mutating func remove(_ name: Int) { entries.removeAll { $0.name == name } }

  mutating func trim(toCost cost: Int, count: Int) {
    while !entries.isEmpty, totalCost > cost || entries.count > count { entries.removeFirst() }
  }

  private mutating func trimToLimits() { trim(toCost: costLimit, count: countLimit) }
}
