import NukeBase

/// The index of a store, guarded by one lock. It applies the changes of other processes from the journal.
final class StoreIndex: Sendable {
  fileprivate struct State: ~Copyable {
    var folder: StoreFolder
    var entries = DiskIndex()
    /// `true` if ``entries`` contained all entries at the time of change number ``sequence``.
    var isComplete = false
    var sequence: UInt64 = 0
    var sizeLimit: Int
    /// The last result of ``nextTime()``. All results differ, so that the times in files define the order of use.
    var time: Int64 = 0
  }

  /// An entry's name, its state in the index, and the folder that contains it.
  struct Location {
    let name: DiskEntryName
    /// The entry in the index; `nil` if the index is not complete.
    let entry: DiskIndex.Entry?
    let folder: StoreFolder
  }

  private let state: Lock<State>
  private let now: @Sendable () -> Int64

  /// - Parameter now: returns nanoseconds since 1970.
  init(_ folder: StoreFolder, sizeLimit: Int, now: @escaping @Sendable () -> Int64) {
    state = Lock(State(folder: folder, sizeLimit: sizeLimit))
    self.now = now
  }

  var folder: StoreFolder { state.withLock { $0.folder } }

  var sizeLimit: Int {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  // MARK: Look-ups

  /// Looks up an entry after applying the changes of other processes. Returns `nil` if there is none.
  ///
  /// - Parameter isUse: `true` to count this as a use of the entry.
  func locate(_ name: DiskEntryName, isUse: Bool) -> Location? {
    state.withLock { state in
      guard state.catchUp() else { return Location(name: name, entry: nil, folder: state.folder) }
      guard let entry = isUse ? state.entries.use(name, at: state.nextTime(now)) : state.entries[name] else {
        return nil
      }
      return Location(name: name, entry: entry, folder: state.folder)
    }
  }

  /// Returns `true` if there is an entry, after applying the changes of other processes; `nil` if the folder must be
  /// scanned.
  func lists(_ name: DiskEntryName) -> Bool? {
    state.withLock { $0.catchUp() ? $0.entries[name] != nil : nil }
  }

  /// The totals after applying the changes of other processes; `nil` if the folder must be scanned.
  var latestTotals: DiskStore.Totals? {
    state.withLock { $0.catchUp() ? DiskStore.Totals($0.entries) : nil }
  }

  /// Records that the body of an entry was verified.
  func noteVerified(_ name: DiskEntryName, _ verified: DiskIndex.Verified, length: Int) {
    state.withLock { $0.entries.noteVerified(name, verified, length: length) }
  }

  /// Records the time of creation that the metadata of an entry contains.
  func noteCreated(_ name: DiskEntryName, _ time: Int64) { state.withLock { $0.entries.noteCreated(name, time) } }

  // MARK: In a transaction

  subscript(name: DiskEntryName) -> DiskIndex.Entry? { state.withLock { $0.entries[name] } }

  func contains(_ name: DiskEntryName) -> Bool { self[name] != nil }

  var totals: DiskStore.Totals { state.withLock { DiskStore.Totals($0.entries) } }

  /// The names of all entries and partial bodies, least recently used first.
  var names: [DiskEntryName] { state.withLock { $0.entries.names } }

  /// The names of the entries whose time of creation is not known.
  var namesOfUnknownAge: [DiskEntryName] { state.withLock { $0.entries.names { $0.created == nil } } }

  /// Returns the names of the entries that were created before `time`, as far as that is known.
  func names(createdBefore time: Int64) -> [DiskEntryName] {
    state.withLock { $0.entries.names { $0.created.map { $0 < time } ?? false } }
  }

  /// Returns the current time, increased if necessary so that no two results are equal.
  func nextTime() -> Int64 { state.withLock { $0.nextTime(now) } }

  /// Makes an entry the most recently used. Returns the time of use; `nil` if there is no such entry.
  func use(_ name: DiskEntryName) -> Int64? {
    state.withLock { state in
      let time = state.nextTime(now)
      return state.entries.use(name, at: time) == nil ? nil : time
    }
  }

  /// Records that another process has used an entry.
  func noteUse(_ name: DiskEntryName, at time: Int64) { state.withLock { $0.entries.noteUse(name, at: time) } }

  /// Returns the entries whose time of use is later than the time in their files.
  func takeTouched() -> [(name: DiskEntryName, lastUsed: Int64)] { state.withLock { $0.entries.takeTouched() } }

  /// Returns the disk space of all files, the limit, and the entry to evict next, other than `spared`.
  func room(sparing spared: DiskEntryName?) -> (allocated: Int, limit: Int, victim: DiskIndex.Entry?) {
    state.withLock { state in
      (state.entries.totalAllocated, state.sizeLimit, state.entries.leastRecentlyUsed(sparing: spared))
    }
  }

  /// Applies a change of the files.
  ///
  /// - Parameter isResize: `true` if only the size of an entry changes. The entry then keeps its position in the order
  ///   of use.
  func apply(_ change: DiskJournal.Change, isResize: Bool) {
    state.withLock { $0.entries.apply(change, isResize: isResize) }
  }

  /// Writes the totals and `head` to the journal. Returns `false` if that fails.
  func record(_ head: inout DiskJournal.Head, in folder: StoreFolder) -> Bool {
    state.withLock { state in
      head.allocated = state.entries.totalAllocated
      head.length = state.entries.totalLength
      head.count = state.entries.count
      guard folder.journal.write(head) else {
        state.isComplete = false
        return false
      }
      state.sequence = head.sequence
      return true
    }
  }

  // MARK: Recovery

  /// Makes the next transaction scan the folder.
  func invalidate() { state.withLock { $0.isComplete = false } }

  /// Returns `true` if the index contains all changes up to the count in `head`.
  func isCurrent(_ head: DiskJournal.Head) -> Bool {
    state.withLock { $0.catchUp() && $0.sequence == head.sequence }
  }

  /// Returns `true` if the totals equal those in `head`.
  func agrees(with head: DiskJournal.Head) -> Bool {
    state.withLock { state in
      state.entries.totalAllocated == head.allocated && state.entries.totalLength == head.length
        && state.entries.count == head.count
    }
  }

  /// Starts with an empty index of another folder.
  func reset(to folder: StoreFolder) {
    state.withLock { state in
      state.folder = folder
      state.entries = DiskIndex()
      state.isComplete = false
    }
  }

  /// A copy of the entries.
  var byName: [DiskEntryName: DiskIndex.Entry] { state.withLock { $0.entries.byName } }

  /// Replaces all entries with those that were found in the folder. The latest use of them was at `lastUsed`.
  func replace(with entries: consuming DiskIndex, sequence: UInt64, lastUsed: Int64) {
    // The old index is freed outside the lock.
    var entries = entries
    state.withLock { state in
      swap(&state.entries, &entries)
      state.isComplete = true
      state.sequence = sequence
      state.time = max(state.time, lastUsed)
    }
  }
}

extension StoreIndex.State {
  /// Applies the changes of other processes. Returns `false` if the folder must be scanned.
  fileprivate mutating func catchUp() -> Bool {
    guard isComplete, let current = folder.journal.sequence else { return false }
    if current == sequence { return true }
    guard let changes = folder.journal.changes(from: sequence, to: current) else {
      isComplete = false
      return false
    }
    for change in changes { entries.apply(change) }
    sequence = current
    return true
  }

  fileprivate mutating func nextTime(_ now: () -> Int64) -> Int64 {
    time = max(time + 1, now())
    return time
  }
}
