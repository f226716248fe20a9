import Dispatch
public import Foundation
import NukeBase

extension DataCache {
  /// The maximum number of changes while the store is locked, which limits the time that other threads and processes
  /// wait.
  private static let batch = (bytes: 4 << 20, count: 64)

  /// Seconds until stored data is written, together with data stored meanwhile: waking a thread and locking the folder
  /// cost as much as writing a small file.
  private static let writingDelay = 0.1

  /// Changes the staged writes and schedules a writer.
  ///
  /// - Parameter isUrgent: `false` for changes that may wait to be written together with others.
  @discardableResult
  func change<Value>(isUrgent: Bool = true, _ body: (inout StagedWrites) -> Value) -> Value {
    let (value, writing, sweep, released) = state.withLock { state in
      let value = body(&state.staged)
      return (value, state.scheduleWriting(isUrgent: isUrgent), state.scheduleSweep(), state.staged.takeReleased())
    }
    withExtendedLifetime(released) {}
    // The work keeps the cache alive until its data is written.
    switch writing {
    case .now: queue.async { self.writeStaged() }
    case .later:
      queue.asyncAfter(deadline: .now() + Self.writingDelay) {
        self.state.withLock { $0.isWritingAwaited = false }
        self.writeStaged()
      }
    case nil: break
    }
    if let sweep { sweepOnQueue(after: sweep) }
    return value
  }

  /// Counts data that was not stored, and warns once.
  func noteDropped(unless isStored: Bool) {
    if isStored { return }
    state.withLock { $0.droppedCount += 1 }
    warnings.giveOnce(
      .droppedData,
      "The disk cache \(path.path) has dropped data, because too much waits to be written. store(_:for:) waits instead."
    )
  }

  /// Stores data.
  ///
  /// - Parameters:
  ///   - part: the beginning of the data on the disk.
  ///   - label: the metadata to store beside it.
  ///   - lease: released when the data is on the disk, where other processes find it.
  package func storeData(
    _ data: Data, for key: String, from part: DiskPart?, label: EntryLabel = .init(), lease: DiskLease? = nil
  ) {
    if key.isEmpty {
      if let part { abandon(part) }
      return
    }
    noteDropped(unless: change { $0.store(data, for: key, from: part, label: label, lease: lease) })
    // In this process it can be read from now on.
    lease?.wakeWaiters()
  }

  /// Stores data of any size, and returns when there is room for it among the data that waits to be written. It can then
  /// be read back.
  ///
  /// Use it to store many values at once, such as to fill a cache: ``storeData(_:for:)`` does not wait, and drops data
  /// that the disk is too slow for. While ``queue`` is suspended, this method waits.
  ///
  /// - Throws: `CancellationError` if the task is canceled before there is room. Nothing is changed then.
  public func store(_ data: Data, for key: String) async throws(CancellationError) {
    if key.isEmpty { return }
    while !Task.isCancelled {
      if change(isUrgent: false, { $0.storeIfRoom(data, for: key) }) { return }
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        queue.async {
          self.writeStaged()
          continuation.resume()
        }
      }
    }
    throw CancellationError()
  }

  /// Removes a partial body that is not needed any more.
  package func abandon(_ part: DiskPart) { change { $0.abandon(part) } }

  /// Waits until everything that was stored or removed before this call is on the disk.
  ///
  /// It then outlives the process, however that ends. If the machine loses power, data that the system had not written yet
  /// is lost, and counts as a miss.
  public func flush() { onQueue { self.writeStaged() } }

  /// Waits until the data that was stored or removed for `key` before this call is on the disk.
  public func flush(for key: String) {
    onQueue {
      self.writeRemovalOfAll()
      if let staged = self.state.withLock({ $0.staged.change(of: key) }) { self.write([staged]) }
    }
  }

  /// Sweeps the cache, after ``flush()``: removes what is older than ``maximumAge``, evicts what exceeds ``sizeLimit`` if
  /// that was lowered, and writes the times of use to the disk for other processes and later runs.
  ///
  /// The cache does so every ``sweepInterval`` seconds in which it was used, if ``isSweepEnabled``.
  public func sweep() {
    onQueue {
      self.writeStaged()
      self.store.sweep()
    }
  }

  /// Runs `body` on the queue, also where it is called from there.
  private func onQueue(_ body: () -> Void) {
    if DispatchQueue.getSpecific(key: queueKey) != nil { body() } else { queue.sync(execute: body) }
  }

  private func writeStaged() {
    while true {
      for part in state.withLock({ $0.staged.takeAbandoned() }) { part.discard() }
      writeRemovalOfAll()
      let batch = state.withLock { state in
        let batch = state.staged.batch(bytes: Self.batch.bytes, count: Self.batch.count)
        // The next change schedules another writer.
        if batch.isEmpty, state.staged.isEmpty { state.isWriting = false }
        return (changes: batch, isLast: state.staged.isEmpty)
      }
      if batch.isLast { return }
      write(batch.changes)
    }
  }

  private func writeRemovalOfAll() {
    guard let number = state.withLock({ $0.staged.removalOfAll }) else { return }
    store.removeAll()
    state.withLock { $0.staged.finishRemovalOfAll(number) }
  }

  private func write(_ changes: [StagedWrites.Staged]) {
    store.apply(
      changes.compactMap { staged in
        switch staged.change {
        case .store(let data, let part, let label):
          let metadata = DiskMetadata(
            kind: label.kind, key: staged.key, variantOf: label.variantOf, attributes: label.attributes,
            created: store.options.now())
          return part?.finish(data, as: metadata) == true ? nil : .store(data, metadata)
        case .remove: return .remove(staged.key)
        }
      })
    let keys = changes.compactMap { if case .store = $0.change { $0.key } else { nil } }
    let isFailing = keys.isEmpty ? nil : !keys.contains { store.contains($0, isOfAnyAge: true) }
    let released = state.withLock { state in
      state.staged.finish(changes)
      if let isFailing { state.isFailing = isFailing }
      return state.staged.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  /// `true` if nothing of the last batch was stored: the disk fails, or the limit is too small.
  package var isFailing: Bool { state.withLock { $0.isFailing } }

  /// Schedules the sweep that follows this use.
  func awaitSweep() {
    if let delay = state.withLock({ $0.scheduleSweep() }) { sweepOnQueue(after: delay) }
  }

  private func sweepOnQueue(after delay: TimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self else { return }
      let isEnabled = self.state.withLock { state in
        state.isSweepAwaited = false
        return state.isSweepEnabled
      }
      if isEnabled { self.store.sweep() }
    }
  }
}

extension DataCache.State {
  enum Writing { case now, later }

  /// Returns when to start a writer; `nil` if one is already scheduled that will find the staged changes.
  mutating func scheduleWriting(isUrgent: Bool) -> Writing? {
    if isWriting { return nil }
    if isUrgent || staged.byteCount > staged.byteLimit / 2 {
      isWriting = true
      return .now
    }
    return exchange(&isWritingAwaited, with: true) ? nil : .later
  }

  /// Returns the seconds until the sweep that follows this use; `nil` if sweeping is disabled or a sweep is scheduled.
  mutating func scheduleSweep() -> TimeInterval? {
    guard isSweepEnabled, !isSweepAwaited else { return nil }
    isSweepAwaited = true
    return sweepInterval
  }
}
