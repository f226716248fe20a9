import CNukeDisk
import Foundation
import NukeBase

extension DiskStore {
  /// The time to wait for a process that holds the lock.
  enum Patience: Int {
    /// A reader waits for a quarter of a second. After that, loading again is faster.
    case reading = 250
    case writing = 10_000
  }

  /// Runs `body` under the lock that all stores in the folder share. The index is complete while it runs.
  ///
  /// - Returns: `nil` if the lock could not be acquired, the folder is read-only, or the journal could not be read or
  ///   written.
  @discardableResult
  func transaction<Value>(patience: Patience, _ body: (inout Transaction) -> Value) -> Value? {
    if index.folder.isReadOnly { return nil }
    for attempt in 0...patience.rawValue {
      if attempt > 0 { files.pause() }
      // The thread lock is held only together with the file lock, so that no thread waits behind one that waits for the
      // file lock. The outer optional is `nil` if another process holds the file lock.
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

  /// Locks the folder. Opens it again if it was removed and created anew.
  private func lockedFolder() -> StoreFolder? {
    let folder = index.folder
    guard files.tryLock(folder.journal.file) else { return nil }
    if let status = files.status(of: folder.journal.file), status.linkCount == 0 {
      files.unlock(folder.journal.file)
      guard let opened = try? StoreFolder(path: path, files: files, now: options.now) else { return nil }
      index.reset(to: opened)
      guard files.tryLock(opened.journal.file) else { return nil }
      return opened
    }
    return folder
  }

  /// The steps of a change under the lock. If the process dies at any point, the next one finds either the old entry or
  /// the new one.
  struct Transaction {
    let store: DiskStore
    let folder: StoreFolder
    private var head: DiskJournal.Head
    private var changes: UInt64 = 0
    private var hasBegun = false
    /// `true` if a step failed, so that the files may differ from the index.
    var isUncertain = false
    /// `true` if a change could not be written to the journal, so that other processes must look through the folder.
    private var isUntold = false
    private var space: DiskSpace?
    /// See ``spareLimit(for:)``.
    var spareLimit: Int
    /// `true` if there are spares for both files of an entry; `nil` if that is not known.
    var hasSpares: Bool?

    var files: any DiskFileSystem { store.options.files }

    fileprivate init(store: DiskStore, folder: StoreFolder, head: DiskJournal.Head) {
      self.store = store
      self.folder = folder
      self.head = head
      spareLimit = Self.spareLimit(for: store.sizeLimit)
    }

    /// Records in the journal that the files are about to change.
    mutating func begin() -> Bool {
      if hasBegun { return true }
      head.isChanging = true
      hasBegun = folder.journal.write(head)
      return hasBegun
    }

    /// Records a change of the files in the index and in the journal.
    mutating func commit(_ change: DiskJournal.Change, isResize: Bool = false) {
      store.index.apply(change, isResize: isResize)
      if !folder.journal.write(change, at: head.sequence &+ changes) { isUntold = true }
      changes += 1
    }

    fileprivate mutating func end() {
      guard hasBegun || isUncertain else { return }
      // The header stays marked as changing, so that the next holder of the lock repairs the files.
      guard hasBegun, !isUncertain else { return store.index.invalidate() }
      head.sequence &+= isUntold ? DiskJournal.capacity + 1 : changes
      head.isChanging = false
      _ = store.index.record(&head, in: folder)
    }

    // MARK: Removing

    /// Removes an entry.
    ///
    /// - Parameter isForced: `true` to remove files even if the index has no such entry.
    mutating func remove(_ name: DiskEntryName, isForced: Bool = false) {
      guard isForced || store.index.contains(name) else { return }
      if !begin() { isUncertain = true }
      removeFiles(of: name)
      commit(.removed(name))
    }

    /// Removes entries from the end of `names` until `deadline`.
    ///
    /// - Returns: `true` if some are left.
    mutating func remove(_ names: inout [DiskEntryName], until deadline: UInt64) -> Bool {
      while let name = names.popLast() {
        remove(name)
        if store.options.clock() >= deadline { break }
      }
      if names.isEmpty { discardStaged() }
      return !names.isEmpty
    }

    /// Evicts the least recently used entries above the limit until `deadline`.
    ///
    /// - Returns: `true` if more have to be evicted.
    mutating func evictExcess(until deadline: UInt64) -> Bool {
      while !isUncertain, case (let total, let limit, let victim?) = store.index.room(sparing: nil), total > limit {
        if store.options.clock() >= deadline { return true }
        evict(victim)
      }
      return false
    }

    mutating func removeFiles(of name: DiskEntryName) {
      for path in [name.metadataPath, name.path] {
        let code = files.remove(path, in: folder.root)
        if code < 0, code != -ENOENT { isUncertain = true }
      }
    }

    /// Evicts the least recently used entries until there is space for `need` more bytes within the limit and the
    /// reserve.
    ///
    /// - Returns: `true` if there is enough space.
    @discardableResult
    mutating func makeRoom(for need: Int, sparing spared: DiskEntryName?) -> Bool {
      if space == nil {
        space = files.space(at: folder.root) ?? DiskSpace(available: .max / 2, total: 0)
        discardSpares(largerThan: spareLimit)
        hasSpares = nil
      }
      let reserve = store.options.freeSpaceReserve ?? min(space!.total / 100, 256 << 20)
      while true {
        let (total, limit, victim) = store.index.room(sparing: spared)
        // An entry that needs nearly all of the space leaves none for spares, and a sweep evicts nothing to keep them.
        if spareLimit > 0, need + sparesAllowance > limit || need == 0 && total <= limit,
          total + need + sparesAllowance > limit
        {
          spareLimit = 0
          discardSpares(largerThan: 0)
          hasSpares = false
        }
        if total + need + sparesAllowance <= limit, space!.available - reserve >= need { return true }
        guard let victim else { return false }
        evict(victim)
        if isUncertain { return false }
      }
    }

    private mutating func evict(_ victim: DiskIndex.Entry) {
      // Another process may have used the entry and recorded that in its file.
      if let status = files.status(victim.name.metadataPath, in: folder.root),
        status.modified > victim.lastUsed
      {
        store.index.noteUse(victim.name, at: status.modified)
        return
      }
      if !begin() { isUncertain = true }
      if !keepAsSpares(victim) {
        removeFiles(of: victim.name)
        space?.available += victim.allocated
      }
      commit(.removed(victim.name))
    }

    // MARK: Storing

    /// Stores an entry. On failure, removes the existing entry with the same name.
    mutating func store(_ data: Data, _ metadata: DiskMetadata, as name: DiskEntryName) {
      var metadata = metadata
      metadata.length = data.count
      metadata.checksum = Digest.checksum(of: data)
      let encoded = metadata.encoded(name: name.text)
      let need = DiskIndex.allocation(data.count) + DiskIndex.allocation(encoded.count)
      let limit = store.sizeLimit
      guard !isUncertain, encoded.count <= DiskMetadata.limit, need <= limit, begin() else { return remove(name) }

      if !makeRoom(for: need, sparing: name) {
        // The old entry and the new one together exceed the limit.
        remove(name)
        guard makeRoom(for: need, sparing: nil) else { return }
      }
      let time = store.index.nextTime()
      var code = put(data, encoded, as: name, time: time)
      if code == -ENOSPC || code == -EDQUOT {
        // The volume has less space than it reported. Other programs write to it too, so evict more than is needed.
        let target = store.index.room(sparing: name).allocated - max(2 * need, 1 << 20)
        while !isUncertain, case (let total, _, let victim?) = store.index.room(sparing: name), total > target {
          evict(victim)
        }
        code = isUncertain ? code : put(data, encoded, as: name, time: time)
      }
      guard code >= 0 else { return remove(name, isForced: true) }
      space?.available -= need
      commit(.stored(name, length: data.count, allocated: need, lastUsed: time))
    }

    mutating func setAttributes(
      _ attributes: [UInt8], replacing known: [UInt8]?, key: String, _ name: DiskEntryName
    ) -> Bool {
      guard let entry = store.index[name],
        case .whole(let found) = folder.metadata(name), found.metadata.key == key,
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
      let lastUsed = store.index[name]?.lastUsed ?? entry.lastUsed
      commit(.stored(name, length: entry.length, allocated: allocated, lastUsed: lastUsed), isResize: true)
      return true
    }

    /// Writes times of use to the files, from the end of `touched`, until `deadline`.
    ///
    /// - Returns: `true` if some are left.
    func writeTimes(_ touched: inout [(name: DiskEntryName, lastUsed: Int64)], until deadline: UInt64) -> Bool {
      while let (name, lastUsed) = touched.popLast() {
        // The entry may have been replaced or used since.
        if store.index[name]?.lastUsed == lastUsed { _ = files.setTime(lastUsed, name.metadataPath, in: folder.root) }
        if store.options.clock() >= deadline { break }
      }
      return !touched.isEmpty
    }
  }
}
