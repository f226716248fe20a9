import Foundation
import Nuke

/// Several stores, the fastest first.
struct RenditionStores: Sendable {
  private let stores: [RenditionStore]
  /// The store whose leases elect the node that renders; `nil` if the leases are of another object.
  private let leased: RenditionStore?
  private let clock: ServiceClock
  private let pending: WaitGroup

  /// - Parameter pending: counts the copies to earlier stores that are being made.
  init(_ stores: [RenditionStore], leasing: (any DataLeasing)?, clock: ServiceClock, pending: WaitGroup) {
    self.stores = stores
    self.clock = clock
    self.pending = pending
    leased = stores.first { $0.isLeased(by: leasing) }
  }

  var isEmpty: Bool { stores.isEmpty }

  /// Returns the first fresh entry. If there is none, returns the most recently validated one, because another machine
  /// may have renewed it in a shared store. The entry is copied to the stores that missed. If the task is canceled, no
  /// further stores are queried.
  ///
  /// - Parameter purge: the last purge of the source. Entries from before are ignored.
  func record(for key: RenditionKey, after purge: PurgeID? = nil) async -> RenditionRecord? {
    var best: (record: RenditionRecord, index: Int)?
    for (index, store) in stores.enumerated() where !Task.isCancelled {
      guard let record = await store.record(for: key), record.isCurrent(after: purge) else { continue }
      if best.map({ $0.record.freshness.checkedAt < record.freshness.checkedAt }) ?? true { best = (record, index) }
      if best?.record.freshness.state(at: clock.now()) == .fresh { break }
    }
    guard let best else { return nil }
    // Only the shared store has failures, which are short-lived.
    if best.index > 0, best.record.failure == nil {
      pending.enter()
      Task.detached {
        await store(best.record, for: key, in: stores.prefix(best.index))
        pending.leave()
      }
    }
    return best.record
  }

  /// Returns the entry that another node has stored before it released its lease. Queries only the store of the lease:
  /// many nodes may look at the same time, and the others are slower, or not shared.
  func sharedRecord(for key: RenditionKey, after purge: PurgeID? = nil) async -> RenditionRecord? {
    guard let leased else { return await record(for: key, after: purge) }
    guard let record = await leased.record(for: key), record.isCurrent(after: purge) else { return nil }
    return record
  }

  /// Stores an entry only where ``sharedRecord(for:after:)`` looks.
  func storeShared(_ record: RenditionRecord, for key: RenditionKey) async {
    guard let leased else { return await store(record, for: key) }
    await leased.store(record.encoded(for: key), for: key)
  }

  /// Returns when every store has stored or dropped the entry.
  func store(_ record: RenditionRecord, for key: RenditionKey) async { await store(record, for: key, in: stores[...]) }

  private func store(_ record: RenditionRecord, for key: RenditionKey, in stores: ArraySlice<RenditionStore>) async {
    guard !stores.isEmpty else { return }
    let encoded = record.encoded(for: key)
    await withTaskGroup { group in
      for store in stores { group.addTask { await store.store(encoded, for: key) } }
    }
  }

  func remove(_ key: RenditionKey) async { await remove(key, from: stores) }

  /// Removes an entry from all stores in which ``storeShared(_:for:)`` does not replace it.
  func removeUnshared(_ key: RenditionKey) async {
    guard let leased else { return }
    await remove(key, from: stores.filter { $0 !== leased })
  }

  private func remove(_ key: RenditionKey, from stores: [RenditionStore]) async {
    await withTaskGroup { group in
      for store in stores { group.addTask { await store.remove(key) } }
    }
  }
}

/// A store of renditions with its own threads. A slow disk or remote machine blocks only these threads.
final class RenditionStore: Sendable {
  private let cache: any DataCaching
  private let readQueue: TaskQueue
  private let writeQueue: TaskQueue
  private let pendingBytes = Lock(0)
  private let statistics: StatisticsRecorder
  /// Ends look-ups that exceed the time limit.
  private let timeouts: TimeoutTimer
  /// The maximum size of pending writes, in bytes.
  private let backlogLimit: Int
  private let clock: ServiceClock
  /// Receives the duration of each look-up of an entry, in seconds.
  private let observer: (@Sendable (Double) -> Void)?

  private static let readers = 8
  private static let writers = 4

  /// - Parameters:
  ///   - timeLimit: the time limit for a look-up, in seconds.
  ///   - backlogLimit: the maximum size of pending writes, in bytes.
  init(
    _ cache: any DataCaching, timeLimit: Double, backlogLimit: Int, clock: ServiceClock,
    statistics: StatisticsRecorder, observer: (@Sendable (Double) -> Void)? = nil
  ) {
    self.cache = cache
    self.clock = clock
    self.observer = observer
    timeouts = TimeoutTimer(seconds: timeLimit, clock: clock)
    self.backlogLimit = backlogLimit
    self.statistics = statistics
    let pool = WorkerPool(limit: Self.readers + Self.writers)
    readQueue = TaskQueue(maxConcurrentOperationCount: Self.readers, pool: pool)
    writeQueue = TaskQueue(maxConcurrentOperationCount: Self.writers, pool: pool)
  }

  /// Returns `true` if the leases are those of this store.
  func isLeased(by leasing: (any DataLeasing)?) -> Bool {
    guard let leasing else { return false }
    return cache as AnyObject === leasing as AnyObject
  }

  /// Returns the stored entry. Returns `nil` if there is no complete entry or the time limit is exceeded. Damaged
  /// entries are removed.
  func record(for key: RenditionKey) async -> RenditionRecord? {
    let start = clock.uptime()
    defer { observer?(Double(clock.uptime() - start) / 1e9) }
    return await look { [self] in read(key) }
  }

  /// Returns stored data of another kind. Returns `nil` if there is none or the time limit is exceeded.
  func data(for name: String) async -> Data? { await look { [cache] in cache.cachedData(for: name) } }

  private func look<Value: Sendable>(_ body: @escaping @Sendable () -> Value?) async -> Value? {
    let deferred = Deferred<Value?>()
    let work = WorkItem {
      deferred.complete(body())
      return .done
    }
    readQueue.add(work)
    let timer = timeouts.start { [self] in
      guard deferred.complete(nil) else { return }
      readQueue.remove(work)
      statistics.count(\.storeTimeouts)
    }
    let value = await deferred.value(whenCancelled: nil)
    timeouts.stop(timer)
    if Task.isCancelled { readQueue.remove(work) }
    return value
  }

  private func read(_ key: RenditionKey) -> RenditionRecord? {
    guard let encoded = cache.cachedData(for: key.name) else { return nil }
    if let record = RenditionRecord(encoded: encoded, for: key) { return record }
    statistics.count(\.storeDamaged)
    cache.removeData(for: key.name)
    return nil
  }

  /// Returns when the entry is stored, or dropped because of the limit on pending writes.
  func store(_ encoded: Data, for key: RenditionKey) async {
    let isTaken = pendingBytes.withLock { bytes in
      guard bytes == 0 || bytes + encoded.count <= backlogLimit else { return false }
      bytes += encoded.count
      return true
    }
    guard isTaken else { return statistics.count(\.storeDrops) }
    await writeQueue.run { [cache] in cache.storeData(encoded, for: key.name) }
    pendingBytes.withLock { $0 -= encoded.count }
  }

  /// Stores data of another kind, and calls `flush` on a thread of the store.
  func store(_ data: Data, named name: String, flush: (@Sendable () -> Void)?) async {
    await writeQueue.run { [cache] in
      cache.storeData(data, for: name)
      flush?()
    }
  }

  func remove(_ key: RenditionKey) async {
    await writeQueue.run { [cache] in cache.removeData(for: key.name) }
  }
}

extension TaskQueue {
  /// Runs `body` on a thread of the queue and returns its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    let deferred = Deferred<Result>()
    add { deferred.complete(body()) }
    return await deferred.value
  }
}
