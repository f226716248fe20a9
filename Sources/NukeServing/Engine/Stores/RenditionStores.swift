import Foundation
import Nuke

/// Several stores, the nearest first.
struct RenditionStores: Sendable {
  private let stores: [RenditionStore]
  private let clock: ServiceClock

  init(_ stores: [RenditionStore], clock: ServiceClock) {
    self.stores = stores
    self.clock = clock
  }

  var isEmpty: Bool { stores.isEmpty }

  /// Returns the first fresh entry, or else the one that was validated last, since another machine may have renewed it
  /// in a shared store. It is copied to the stores that were asked before. When the task is canceled, no more stores
  /// are asked.
  func record(for key: RenditionKey) async -> RenditionRecord? {
    var best: (record: RenditionRecord, index: Int)?
    for (index, store) in stores.enumerated() where !Task.isCancelled {
      guard let record = await store.record(for: key) else { continue }
      if best.map({ $0.record.freshness.checkedAt < record.freshness.checkedAt }) ?? true { best = (record, index) }
      if best?.record.freshness.state(at: clock.now()) == .fresh { break }
    }
    guard let best else { return nil }
    if best.index > 0 {
      Task.detached { await store(best.record, for: key, in: stores.prefix(best.index)) }
    }
    return best.record
  }

  /// Returns when all stores have it that take it.
  func store(_ record: RenditionRecord, for key: RenditionKey) async { await store(record, for: key, in: stores[...]) }

  private func store(_ record: RenditionRecord, for key: RenditionKey, in stores: ArraySlice<RenditionStore>) async {
    guard !stores.isEmpty else { return }
    let encoded = record.encoded(for: key)
    await withTaskGroup { group in
      for store in stores { group.addTask { await store.store(encoded, for: key) } }
    }
  }

  func remove(_ key: RenditionKey) async {
    await withTaskGroup { group in
      for store in stores { group.addTask { await store.remove(key) } }
    }
  }
}
