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

  /// What is stored: the first that is fresh, else what was checked last, since another machine may have renewed it in
  /// a store that both share. Those that were asked before have it afterwards. When the task is canceled no more are
  /// asked.
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
