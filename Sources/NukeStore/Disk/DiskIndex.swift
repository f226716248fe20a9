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
  }

  private var places: [DiskEntryName: RecencyList<Entry>.Place] = [:]
  private var entries = RecencyList<Entry>()
  /// The names of entries with ``Entry/isTouched``, and of some that were removed since.
  private var touched: [DiskEntryName] = []

  private(set) var totalLength = 0
  private(set) var totalAllocated = 0
  var count: Int { places.count }
  /// The number and length of entries that are partial bodies.
  private(set) var parts = (count: 0, length: 0)

  /// Returns the disk space of a file of `length` bytes.
  static func allocation(_ length: Int) -> Int { (length + 4095) & ~4095 }

  subscript(name: DiskEntryName) -> Entry? { places[name].map { entries[$0] } }

  /// Applies a change of the files.
  ///
  /// - Parameter isResize: `true` if only the size of an entry changes. The entry then keeps its position in the order
  ///   of use.
  mutating func apply(_ change: DiskJournal.Change, isResize: Bool = false) {
    switch change {
    case .stored(let name, let length, let allocated, let lastUsed):
      if isResize, let place = places[name] {
        resize(place, length: length, allocated: allocated)
      } else {
        insert(name, length: length, allocated: allocated, lastUsed: lastUsed)
      }
    case .removed(let name): remove(name)
    case .removedAll: self = DiskIndex()
    }
  }

  /// Adds or replaces an entry, as the most recently used.
  mutating func insert(_ name: DiskEntryName, length: Int, allocated: Int, lastUsed: Int64) {
    remove(name)
    places[name] = entries.append(Entry(name: name, length: length, allocated: allocated, lastUsed: lastUsed))
    totalLength += length
    totalAllocated += allocated
    countPart(name, 1, length)
  }

  private mutating func countPart(_ name: DiskEntryName, _ count: Int, _ length: Int) {
    if name.isPart { parts = (parts.count + count, parts.length + length) }
  }

  private mutating func remove(_ name: DiskEntryName) {
    guard let place = places.removeValue(forKey: name) else { return }
    let entry = entries.remove(place)
    totalLength -= entry.length
    totalAllocated -= entry.allocated
    countPart(name, -1, -entry.length)
  }

  /// Returns the entry and makes it the most recently used.
  mutating func use(_ name: DiskEntryName, at time: Int64) -> Entry? {
    guard let place = places[name] else { return nil }
    entries[place].lastUsed = time
    if !entries[place].isTouched {
      entries[place].isTouched = true
      touched.append(name)
    }
    entries.use(place)
    return entries[place]
  }

  /// Records that another process has used the entry.
  mutating func noteUse(_ name: DiskEntryName, at time: Int64) {
    guard let place = places[name] else { return }
    entries[place].lastUsed = time
    entries.use(place)
  }

  /// Returns the entries whose time of use is later than the time in their files. The caller writes the times to the
  /// files.
  mutating func takeTouched() -> [(name: DiskEntryName, lastUsed: Int64)] {
    defer { touched = [] }
    return touched.compactMap { name in
      guard let place = places[name], entries[place].isTouched else { return nil }
      entries[place].isTouched = false
      return (name, entries[place].lastUsed)
    }
  }

  /// Records that the body was verified, unless it was replaced since.
  mutating func noteVerified(_ name: DiskEntryName, _ verified: Verified, length: Int) {
    guard let place = places[name], entries[place].length == length else { return }
    entries[place].verified = verified
  }

  private mutating func resize(_ place: RecencyList<Entry>.Place, length: Int, allocated: Int) {
    totalAllocated += allocated - entries[place].allocated
    totalLength += length - entries[place].length
    countPart(entries[place].name, 0, length - entries[place].length)
    entries[place].allocated = allocated
    entries[place].length = length
  }

  /// Returns the entry to evict next, other than `spared`.
  func leastRecentlyUsed(sparing spared: DiskEntryName?) -> Entry? {
    guard let oldest = entries.oldest else { return nil }
    let entry = entries[oldest]
    return entry.name == spared ? entries.newer(than: oldest).map { entries[$0] } : entry
  }

  /// A copy of the entries.
  var byName: [DiskEntryName: Entry] { places.mapValues { entries[$0] } }

  /// The names of the entries, least recently used first.
  var names: [DiskEntryName] {
    var names: [DiskEntryName] = []
    var place = entries.oldest
    while let current = place {
      names.append(entries[current].name)
      place = entries.newer(than: current)
    }
    return names
  }
}
