import NukeBase

/// The entries of a store, in order of use. A value type.
struct DiskIndex: ~Copyable {
  struct Entry {
    let name: DiskEntryName
    /// The size of the body, in bytes.
    var length: Int
    /// The disk space of the files of the body and the metadata, in bytes.
    var allocated: Int
    /// The time of the last use, in nanoseconds since 1970.
    var lastUsed: Int64
    /// The time from which the age counts, in nanoseconds since 1970; `nil` if the metadata was not read for it yet.
    var created: Int64?
    /// `true` if ``lastUsed`` is later than the time in the file.
    var isTouched = false
    /// The verified version of the body; `nil` if it was not compared with its checksum yet.
    var verified: Verified?
  }

  /// The version of a body that was verified, and its key.
  struct Verified {
    var identity: DiskFileStatus.Identity
    var keyHash: UInt64
    var checksum: UInt64
    /// The time from which the age counts, in nanoseconds since 1970.
    var created: Int64
  }

  private var indices: [DiskEntryName: RecencyList<Entry>.Index] = [:]
  private var entries = RecencyList<Entry>()
  /// The names of entries with ``Entry/isTouched``, and of some that were removed since.
  private var touched: [DiskEntryName] = []

  private(set) var totalLength = 0
  private(set) var totalAllocated = 0
  var count: Int { indices.count }
  /// The number and length of entries that are partial bodies.
  private(set) var parts = (count: 0, length: 0)

  /// Returns the disk space of a file of `length` bytes.
  static func allocation(_ length: Int) -> Int { (length + 4095) & ~4095 }

  subscript(name: DiskEntryName) -> Entry? { indices[name].map { entries[$0] } }

  /// Applies a change of the files.
  ///
  /// - Parameter isResize: `true` if only the size of an entry changes. The entry then keeps its position in the order
  ///   of use.
  mutating func apply(_ change: DiskJournal.Change, isResize: Bool = false) {
    switch change {
    case .stored(let name, let length, let allocated, let lastUsed):
      if isResize, let index = indices[name] {
        resize(index, length: length, allocated: allocated)
      } else {
        insert(name, length: length, allocated: allocated, lastUsed: lastUsed)
      }
    case .removed(let name): remove(name)
    }
  }

  /// Adds or replaces an entry, as the most recently used.
  mutating func insert(_ name: DiskEntryName, length: Int, allocated: Int, lastUsed: Int64) {
    remove(name)
    indices[name] = entries.append(Entry(name: name, length: length, allocated: allocated, lastUsed: lastUsed))
    totalLength += length
    totalAllocated += allocated
    countPart(name, 1, length)
  }

  private mutating func countPart(_ name: DiskEntryName, _ count: Int, _ length: Int) {
    if name.isPart { parts = (parts.count + count, parts.length + length) }
  }

  private mutating func remove(_ name: DiskEntryName) {
    guard let index = indices.removeValue(forKey: name) else { return }
    let entry = entries.remove(index)
    totalLength -= entry.length
    totalAllocated -= entry.allocated
    countPart(name, -1, -entry.length)
  }

  /// Returns the entry and makes it the most recently used.
  mutating func use(_ name: DiskEntryName, at time: Int64) -> Entry? {
    guard let index = indices[name] else { return nil }
    entries[index].lastUsed = time
    if !entries[index].isTouched {
      entries[index].isTouched = true
      touched.append(name)
    }
    entries.use(index)
    return entries[index]
  }

  /// Records that another process has used the entry.
  mutating func noteUse(_ name: DiskEntryName, at time: Int64) {
    guard let index = indices[name] else { return }
    entries[index].lastUsed = time
    entries.use(index)
  }

  /// Returns the entries whose time of use is later than the time in their files. The caller writes the times to the
  /// files.
  mutating func takeTouched() -> [(name: DiskEntryName, lastUsed: Int64)] {
    defer { touched = [] }
    return touched.compactMap { name in
      guard let index = indices[name], entries[index].isTouched else { return nil }
      entries[index].isTouched = false
      return (name, entries[index].lastUsed)
    }
  }

  /// Records that the body was verified, unless it was replaced since.
  mutating func noteVerified(_ name: DiskEntryName, _ verified: Verified, length: Int) {
    guard let index = indices[name], entries[index].length == length else { return }
    entries[index].verified = verified
  }

  /// Records the time from which the age of an entry counts.
  mutating func noteCreated(_ name: DiskEntryName, _ time: Int64) {
    guard let index = indices[name] else { return }
    entries[index].created = time
  }

  private mutating func resize(_ index: RecencyList<Entry>.Index, length: Int, allocated: Int) {
    totalAllocated += allocated - entries[index].allocated
    totalLength += length - entries[index].length
    countPart(entries[index].name, 0, length - entries[index].length)
    entries[index].allocated = allocated
    entries[index].length = length
  }

  /// Returns the entry to evict next, other than `spared`.
  func leastRecentlyUsed(sparing spared: DiskEntryName?) -> Entry? {
    guard let oldest = entries.oldest else { return nil }
    let entry = entries[oldest]
    return entry.name == spared ? entries.newer(than: oldest).map { entries[$0] } : entry
  }

  /// A copy of the entries.
  var byName: [DiskEntryName: Entry] { indices.mapValues { entries[$0] } }

  /// The names of the entries and partial bodies, least recently used first.
  var names: [DiskEntryName] { allNames { _ in true } }

  /// Returns the names of the entries, without partial bodies, that meet a condition, least recently used first.
  func names(where isIncluded: (Entry) -> Bool) -> [DiskEntryName] { allNames { !$0.name.isPart && isIncluded($0) } }

  private func allNames(where isIncluded: (Entry) -> Bool) -> [DiskEntryName] {
    var names: [DiskEntryName] = []
    var index = entries.oldest
    while let current = index {
      let entry = entries[current]
      if isIncluded(entry) { names.append(entry.name) }
      index = entries.newer(than: current)
    }
    return names
  }
}
