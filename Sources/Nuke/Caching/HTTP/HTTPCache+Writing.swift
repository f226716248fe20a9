import Foundation
import NukeHTTPCaching

extension HTTPCache {
  /// Changes that are made at a time, so that transfers which wait for room need not wait for all.
  private static let batch = (count: 64, cost: 4 << 20)
  /// Responses of one URL beyond the first that are kept.
  private static let variantLimit = 32

  /// Makes a change soon, on a worker.
  ///
  /// - Parameters:
  ///   - cost: bytes that wait for it.
  ///   - lease: is let go of when the change is on the disk.
  func stage(_ change: StagedResponses.Change, of url: String, cost: Int = 0, lease: DiskLease? = nil) {
    stagingBacklog.add(cost)
    let isFirst = state.withLock { state in
      state.staged.append(change, of: url, cost: cost, lease: lease)
      defer { state.staged.isAwaited = true }
      return !state.staged.isAwaited
    }
    guard isFirst else { return }
    // The cache lives until what it was given is written.
    writeQueue.add(
      WorkItem {
        self.writeStaged()
        return .done
      })
  }

  /// Makes all changes that were staged before this call, on this thread.
  func writeStaged() {
    writer.withLock { _ in
      while true {
        let changes = state.withLock { state in
          let changes = state.staged.take(count: Self.batch.count, cost: Self.batch.cost)
          if changes.isEmpty { state.staged.isAwaited = false }
          return changes
        }
        if changes.isEmpty { return }
        let isLocked = store.map { make(changes, in: $0) } ?? true
        finish(consume changes)
        // Whoever has the lock has it for so long that all who wait for room would be held up.
        if !isLocked { finish(state.withLock { $0.staged.take(count: .max, cost: .max) }) }
      }
    }
  }

  private func finish(_ changes: consuming [StagedResponses.Staged]) {
    // First of all: who sees that nothing waits for a URL may ask for its lease at once.
    for place in changes.indices { changes[place].lease = nil }
    state.withLock { $0.staged.finish(changes) }
    stagingBacklog.remove(changes.reduce(0) { $0 + $1.cost })
  }

  /// - Returns: `false` if the store could not be locked.
  private func make(_ changes: [StagedResponses.Staged], in store: DiskStore) -> Bool {
    // Changes of different URLs, to be made under one lock of the store.
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
        // The old is not to be taken for the new.
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
    // Those that were added first go. Of those that went by themselves nothing is there to be removed.
    while listed.count > Self.variantLimit { store.remove(listed.removeFirst()) }
    let names = listed.map { $0.dropFirst(first.utf8.count + "\nvariant ".utf8.count) }.joined(separator: "\n")
    let list = DiskMetadata(
      kind: Self.listKind, key: Self.listKey(of: first), attributes: Array(names.utf8), created: store.options.now())
    store.store(Data(), list)
    return slot
  }
}
