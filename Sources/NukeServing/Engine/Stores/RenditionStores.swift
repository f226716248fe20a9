import Foundation
import Nuke
import NukeImaging

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

/// A store of renditions, with threads of its own on which it is asked: it may wait for a disk or another machine, which
/// is to hold up nothing else.
final class RenditionStore: Sendable {
  private struct Pending {
    var bytes = 0
  }

  private let cache: any DataCaching
  private let readQueue: TaskQueue
  private let writeQueue: TaskQueue
  private let pending = Lock(Pending())
  private let statistics: StatisticsRecorder
  /// For looks that take too long.
  private let alarm: Alarm
  /// Bytes that may wait to be stored.
  private let backlogLimit: Int

  private static let readers = 8
  private static let writers = 4

  /// - Parameters:
  ///   - timeLimit: seconds that a look may take.
  ///   - backlogLimit: bytes that may wait to be stored.
  init(
    _ cache: any DataCaching, timeLimit: Double, backlogLimit: Int, clock: ServiceClock, statistics: StatisticsRecorder
  ) {
    self.cache = cache
    alarm = Alarm(seconds: timeLimit, clock: clock)
    self.backlogLimit = backlogLimit
    self.statistics = statistics
    let pool = WorkerPool(limit: Self.readers + Self.writers)
    readQueue = TaskQueue(maxConcurrentOperationCount: Self.readers, pool: pool)
    writeQueue = TaskQueue(maxConcurrentOperationCount: Self.writers, pool: pool)
  }

  /// Returns the stored entry; `nil` if there is no complete one, or if reading takes too long. Damaged entries are
  /// removed.
  func record(for key: RenditionKey) async -> RenditionRecord? {
    let promise = Promise<RenditionRecord?>()
    let work = WorkItem { [self] in
      promise.give(read(key))
      return .done
    }
    readQueue.add(work)
    let timer = alarm.start { [self] in
      guard promise.give(nil) else { return }
      readQueue.remove(work)
      statistics.count(\.storeTimeouts)
    }
    let record = await promise.value(whenCancelled: nil)
    alarm.stop(timer)
    if Task.isCancelled { readQueue.remove(work) }
    return record
  }

  private func read(_ key: RenditionKey) -> RenditionRecord? {
    guard let encoded = cache.cachedData(for: key.name) else { return nil }
    if let record = RenditionRecord(encoded: encoded, for: key) { return record }
    statistics.count(\.storeDamaged)
    cache.removeData(for: key.name)
    return nil
  }

  /// Returns when the store has taken it, or when it is dropped, since too much waits to be stored.
  func store(_ encoded: Data, for key: RenditionKey) async {
    let isTaken = pending.withLock { pending in
      guard pending.bytes == 0 || pending.bytes + encoded.count <= backlogLimit else { return false }
      pending.bytes += encoded.count
      return true
    }
    guard isTaken else { return statistics.count(\.storeDrops) }
    await writeQueue.run { [cache] in cache.storeData(encoded, for: key.name) }
    pending.withLock { $0.bytes -= encoded.count }
  }

  func remove(_ key: RenditionKey) async {
    await writeQueue.run { [cache] in cache.removeData(for: key.name) }
  }
}

extension TaskQueue {
  /// Returns the result of `body`, which runs on a thread of the queue.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    let promise = Promise<Result>()
    add(
      WorkItem {
        promise.give(body())
        return .done
      })
    return await promise.value
  }
}
