import Foundation
import NukeBase
import NukeHTTPCaching
import NukeStore

extension HTTPCache {
  /// The maximum size of one batch of changes, so that transfers that wait for room need not wait for all changes.
  private static let batch = (count: 64, cost: 4 << 20)
  /// The maximum number of variants of one URL in addition to the first.
  private static let variantLimit = 32

  /// Schedules a change, which is made on a worker.
  ///
  /// - Parameters:
  ///   - cost: the number of bytes that wait for the change.
  ///   - lease: the lease to release when the change is on disk.
  func stage(_ change: StagedResponses.Change, of url: String, cost: Int = 0, lease: (any DataLease)? = nil) {
    stagingBacklog.add(cost)
    let isFirst = state.withLock { state in
      state.staged.append(change, of: url, cost: cost, lease: lease)
      return !exchange(&state.staged.isAwaited, with: true)
    }
    guard isFirst else { return }
    // The closure retains the cache until the change is written.
    writeQueue.add { self.writeStaged() }
  }

  /// Makes all changes that were staged before this call, on the calling thread.
  func writeStaged() {
    while true {
      // Released here, after the lock: a recorder can be the last to refer to a transfer, and thereby to objects of the
      // program, whose `deinit` may flush this cache.
      let written = writer.withLock { _ in writeBatch() }
      if written.isEmpty { return }
    }
  }

  /// Makes the oldest changes. The caller holds ``writer``.
  ///
  /// - Returns: the changes that are finished; empty if there were none.
  private func writeBatch() -> [StagedResponses.Staged] {
    var changes = state.withLock { state in
      let changes = state.staged.take(count: Self.batch.count, cost: Self.batch.cost)
      if changes.isEmpty { state.staged.isAwaited = false }
      return changes
    }
    if changes.isEmpty { return [] }
    let isLocked = store.map { make(changes, in: $0) } ?? true
    finish(&changes)
    // Another process has held the lock for a long time. Waiting longer would block all transfers.
    if !isLocked {
      var dropped = state.withLock { $0.staged.take(count: .max, cost: .max) }
      finish(&dropped)
      changes += dropped
    }
    return changes
  }

  private func finish(_ changes: inout [StagedResponses.Staged]) {
    // Released first: a request that finds no pending change of its URL may try to acquire the lease at once.
    for place in changes.indices { changes[place].lease = nil }
    state.withLock { $0.staged.finish(changes) }
    stagingBacklog.removeWritten(changes.reduce(0) { $0 + $1.cost })
  }

  /// - Returns: `false` if the store could not be locked.
  private func make(_ changes: [StagedResponses.Staged], in store: DiskStore) -> Bool {
    // Changes of different URLs, made under one lock.
    var batch: [DiskStore.Change] = []
    var urls: Set<String> = []
    var isLocked = true
    func makeBatch() {
      if !batch.isEmpty, isLocked { isLocked = store.apply(batch) }
      batch = []
      urls = []
    }
    for staged in changes {
      let url = staged.url
      if !urls.insert(url).inserted {
        makeBatch()
        urls.insert(url)
      }
      switch staged.change {
      case .store(let response, let body, let replaced):
        guard let attributes = response.encoded else { continue }
        let slot = slot(for: response, replacing: replaced, in: store)
        batch += replaced.filter { $0 != slot }.map { .remove($0) }
        let metadata = DiskMetadata(kind: Self.kind, key: slot, attributes: attributes, created: store.options.now())
        switch body {
        case .data(let data): batch.append(.store(data, metadata))
        // The old response must not be served for the new one.
        case .spooled(let recorder): if !recorder.finish(as: metadata) { batch.append(.remove(slot)) }
        }
      case .discard(let recorder): recorder.discard()
      case .renew(let slot, let response):
        guard let attributes = response.encoded else { continue }
        store.setAttributes(attributes, for: slot.key, replacing: slot.metadata.attributes)
      case .remove(let keys): batch += keys.map { .remove($0) }
      case .removeURL:
        let list = Self.listKey(of: url)
        batch += (listedKeys(of: url, in: store) + [list, url]).map { .remove($0) }
      case .removeAll:
        makeBatch()
        store.removeAll()
      }
    }
    makeBatch()
    return isLocked
  }

  /// Returns the slot for a response: that of the response it replaces, or of one selected by the same requests.
  private func slot(for response: StoredResponse, replacing replaced: [String], in store: DiskStore) -> String {
    let first = response.key
    if replaced.contains(first) || !store.contains(first) { return first }
    if let slot = replaced.first { return slot }
    if let metadata = store.metadata(for: first),
      StoredResponse(encoded: metadata.attributes)?.selecting.key == response.selecting.key
    {
      return first
    }
    let slot = Self.slotKey(of: response)
    var listed = listedKeys(of: first, in: store)
    listed.removeAll { $0 == slot }
    listed.append(slot)
    // The oldest variants are evicted first. The store may have evicted some already.
    while listed.count > Self.variantLimit { store.remove(listed.removeFirst()) }
    let names = listed.map { $0.dropFirst(first.utf8.count + "\nvariant ".utf8.count) }.joined(separator: "\n")
    let list = DiskMetadata(
      kind: Self.listKind, key: Self.listKey(of: first), attributes: Array(names.utf8), created: store.options.now())
    store.store(Data(), list)
    return slot
  }
}

/// The changes of an ``HTTPCache`` that are not on disk yet. A value type. The changes are made in order.
struct StagedResponses {
  enum Change {
    case store(StoredResponse, Body, replacing: [String])
    /// Discards the bytes of an incomplete body that are on disk.
    case discard(BodyRecorder)
    /// Changes the metadata of a stored response. Its body stays unchanged.
    case renew(HTTPCache.Slot, StoredResponse)
    /// Removes the slots with these keys.
    case remove([String])
    /// Removes all responses of a URL.
    case removeURL
    case removeAll
  }

  enum Body {
    case data(Data)
    /// A long body that was written while it arrived, except for its last bytes.
    case spooled(BodyRecorder)
  }

  struct Staged {
    /// The key of the URL, from ``CacheURL/key(_:)``.
    let url: String
    let change: Change
    let cost: Int
    var lease: (any DataLease)?
  }

  private(set) var changes: [Staged] = []
  /// The number of pending and running changes of each URL.
  private var counts: [String: Int] = [:]
  /// `true` if a writer is scheduled.
  var isAwaited = false

  func isWaiting(for url: String) -> Bool { counts[url] != nil }

  mutating func append(_ change: Change, of url: String, cost: Int, lease: (any DataLease)?) {
    changes.append(Staged(url: url, change: change, cost: cost, lease: lease))
    counts[url, default: 0] += 1
  }

  /// Takes the oldest changes, up to `count` changes and `cost` bytes; at least one if there are any. They count as
  /// pending until they are finished.
  mutating func take(count: Int, cost: Int) -> [Staged] {
    var left = cost
    let end = changes.prefix(count).firstIndex { change in
      left -= change.cost
      return left < 0
    }
    let taken = changes.prefix(end.map { max(1, $0) } ?? count)
    changes.removeFirst(taken.count)
    return Array(taken)
  }

  mutating func finish(_ made: [Staged]) {
    for change in made {
      counts[change.url] = counts[change.url].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }
}
