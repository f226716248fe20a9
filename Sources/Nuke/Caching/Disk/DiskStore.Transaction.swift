import CNukeDisk
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension DiskStore {
  /// The time to wait for a process that has the lock.
  enum Patience: Int {
    /// Milliseconds. A reader would sooner load anew.
    case reading = 250
    case writing = 10_000
  }

  /// Runs `body` with the lock that all stores in the folder share, with an index that is complete.
  ///
  /// - Returns: `nil` if the lock could not be had, or the journal neither read nor written.
  @discardableResult
  func transaction<Value>(patience: Patience, _ body: (inout Transaction) -> Value) -> Value? {
    for attempt in 0...patience.rawValue {
      if attempt > 0 { files.pause() }
      // The thread lock is held only together with the file lock, so that nobody waits behind one who waits. The outer
      // optional is empty where the file lock is taken.
      let outcome: Value?? = writer.withLock { _ in
        guard let folder = lockedFolder() else { return .none }
        defer { files.unlock(folder.journal.file) }
        return FileSizeSignal.blocked {
          guard let head = bringUpToDate(folder) else { return .some(nil) }
          var transaction = Transaction(store: self, folder: folder, head: head)
          let value = body(&transaction)
          transaction.end()
          return .some(value)
        }
      }
      if let outcome { return outcome }
    }
    return nil
  }

  /// The folder, locked; opened anew if somebody has removed it.
  private func lockedFolder() -> Folder? {
    let folder = state.withLock { $0.folder }
    guard files.tryLock(folder.journal.file) else { return nil }
    if case .success(let status) = files.status(of: folder.journal.file), status.linkCount == 0 {
      files.unlock(folder.journal.file)
      guard let opened = try? Folder(path: path, files: files) else { return nil }
      state.withLock { state in
        state.folder = opened
        state.index.removeAll()
        state.isComplete = false
      }
      guard files.tryLock(opened.journal.file) else { return nil }
      return opened
    }
    return folder
  }

  /// Steps of one change under the lock. Each leaves the files so that whoever comes after a death at any point finds
  /// the old entry or the new one.
  struct Transaction {
    let store: DiskStore
    let folder: Folder
    private var head: DiskJournal.Head
    private var changes: UInt64 = 0
    private var hasBegun = false
    /// `true` if a step failed so that the files may not be what the index says.
    var isUncertain = false
    /// `true` if a change could not be told to the others, so that they have to look for themselves.
    private var isUntold = false
    private var space: DiskSpace?
    /// See ``spareLimit(for:)``.
    var spareLimit: Int

    var files: any DiskFileSystem { store.options.files }

    fileprivate init(store: DiskStore, folder: Folder, head: DiskJournal.Head) {
      self.store = store
      self.folder = folder
      self.head = head
      spareLimit = Self.spareLimit(for: store.sizeLimit)
    }

    /// Says that the files are about to change.
    mutating func begin() -> Bool {
      if hasBegun { return true }
      head.isChanging = true
      hasBegun = folder.journal.write(head)
      return hasBegun
    }

    mutating func tell(_ change: DiskJournal.Change) {
      if !folder.journal.write(change, at: head.sequence &+ changes) { isUntold = true }
      changes += 1
    }

    fileprivate mutating func end() {
      guard hasBegun || isUncertain else { return }
      store.state.withLock { state in
        // Left as changing, the head makes the next one with the lock put the files in order.
        guard hasBegun, !isUncertain else {
          state.isComplete = false
          return
        }
        head.sequence &+= isUntold ? DiskJournal.capacity + 1 : changes
        head.isChanging = false
        head.allocated = state.index.totalAllocated
        head.length = state.index.totalLength
        head.count = state.index.count
        if folder.journal.write(head) {
          state.sequence = head.sequence
        } else {
          state.isComplete = false
        }
      }
    }

    // MARK: Removing

    /// - Parameter isForced: whether to look for files even if the index knows of none.
    mutating func remove(_ name: DiskEntryName, isForced: Bool = false) {
      guard isForced || store.state.withLock({ $0.index[name] }) != nil else { return }
      if !begin() { isUncertain = true }
      removeFiles(of: name)
      store.state.withLock { _ = $0.index.remove(name) }
      tell(.removed(name: name.text))
    }

    mutating func removeAll() {
      let names = store.state.withLock { $0.index.names }
      guard !names.isEmpty else { return }
      if !begin() { isUncertain = true }
      for name in names { removeFiles(of: name) }
      discardStaged()
      store.state.withLock { $0.index.removeAll() }
      tell(.removedAll)
    }

    mutating func removeFiles(of name: DiskEntryName) {
      for path in [name.metadataPath, name.path] {
        let code = files.remove(path, in: folder.root)
        if code < 0, code != -ENOENT { isUncertain = true }
      }
    }

    /// Removes what was used longest ago until `need` bytes more are within the limit and the reserve.
    ///
    /// - Returns: `true` if there is room.
    @discardableResult
    mutating func makeRoom(for need: Int, sparing spared: DiskEntryName?) -> Bool {
      if space == nil {
        space = files.space(at: folder.root) ?? DiskSpace(available: .max / 2, total: 0)
        discardSpares(largerThan: spareLimit)
      }
      var isEvicting = false
      let reserve = store.options.freeSpaceReserve ?? min(space!.total / 100, 256 << 20)
      while true {
        let (total, limit, victim) = store.state.withLock { state in
          (state.index.totalAllocated, state.sizeLimit, state.index.leastRecentlyUsed(sparing: spared))
        }
        // Nothing is evicted for spares alone.
        if spareLimit > 0, need + sparesAllowance > limit || !isEvicting && total + need <= limit,
          total + need + sparesAllowance > limit
        {
          spareLimit = 0
          discardSpares(largerThan: 0)
        }
        if total + need + sparesAllowance <= limit, space!.available - reserve >= need { return true }
        guard let victim else { return false }
        isEvicting = true
        evict(victim)
        if isUncertain { return false }
      }
    }

    private mutating func evict(_ victim: DiskIndex.Entry) {
      // Another process may have used it, which it has written down.
      if case .success(let status) = files.status(victim.name.metadataPath, in: folder.root),
        status.modified > victim.lastUsed
      {
        store.state.withLock { $0.index.noteUse(victim.name, at: status.modified) }
        return
      }
      remove(victim.name)
      space?.available += victim.allocated
    }

    // MARK: Storing

    /// Stores an entry, or removes the one of that name where that fails.
    mutating func store(_ data: Data, _ metadata: DiskMetadata, as name: DiskEntryName) {
      var metadata = metadata
      metadata.length = data.count
      metadata.checksum = DiskStore.checksum(data)
      let encoded = metadata.encoded(name: name.text)
      let need = DiskIndex.allocation(data.count) + DiskIndex.allocation(encoded.count)
      let limit = store.sizeLimit
      guard !isUncertain, encoded.count <= DiskMetadata.limit, need <= limit, begin() else { return remove(name) }

      if !makeRoom(for: need, sparing: name) {
        // The old entry and the new one together are above the limit.
        remove(name)
        guard makeRoom(for: need, sparing: nil) else { return }
      }
      let time = store.state.withLock { $0.nextTime(store.options) }
      var code = put(data, encoded, as: name, time: time)
      if code == -ENOSPC || code == -EDQUOT {
        // The volume is fuller than it said. What others write counts as well, so more is freed than is needed.
        let target = store.state.withLock { $0.index.totalAllocated } - max(2 * need, 1 << 20)
        while !isUncertain,
          let victim = store.state.withLock({ state in
            state.index.totalAllocated > target ? state.index.leastRecentlyUsed(sparing: name) : nil
          })
        {
          evict(victim)
        }
        code = isUncertain ? code : put(data, encoded, as: name, time: time)
      }
      guard code >= 0 else { return remove(name, isForced: true) }
      space?.available -= need
      store.state.withLock { state in
        state.index.insert(name, length: data.count, allocated: need, lastUsed: time)
      }
      tell(.stored(name: name.text, length: data.count, allocated: need, lastUsed: time))
    }

    mutating func setAttributes(
      _ attributes: [UInt8], replacing known: [UInt8]?, key: String, _ name: DiskEntryName
    ) -> Bool {
      guard let entry = store.state.withLock({ $0.index[name] }),
        case .whole(let found) = store.readMetadata(name, in: folder), found.metadata.key == key,
        known.map({ $0 == found.metadata.attributes }) ?? true
      else { return false }
      var metadata = found.metadata
      metadata.attributes = attributes
      let encoded = metadata.encoded(name: name.text)
      let need = DiskIndex.allocation(encoded.count)
      guard encoded.count <= DiskMetadata.limit, begin(), makeRoom(for: need, sparing: name),
        replaceMetadata(of: name, encoded, time: entry.lastUsed)
      else { return false }
      let allocated = DiskIndex.allocation(entry.length) + need
      store.state.withLock { $0.index.resize(name, length: entry.length, allocated: allocated) }
      tell(.stored(name: name.text, length: entry.length, allocated: allocated, lastUsed: entry.lastUsed))
      return true
    }

    /// Writes down when entries were last used.
    func writeTimes() {
      for (name, lastUsed) in store.state.withLock({ $0.index.takeTouched() }) {
        _ = files.setTime(lastUsed, name.metadataPath, in: folder.root)
      }
    }
  }
}
