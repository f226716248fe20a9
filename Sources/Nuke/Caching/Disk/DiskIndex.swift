/// The entries of a store in the order of their use. It is a value.
struct DiskIndex: ~Copyable {
  struct Entry {
    let name: DiskEntryName
    /// Bytes of the body.
    var length: Int
    /// Bytes that the files of the body and of the metadata take.
    var allocated: Int
    /// Nanoseconds since 1970.
    var lastUsed: Int64
    /// `true` if ``lastUsed`` is later than what the file says.
    var isTouched = false
    /// Set once the body was found to be what the metadata promises.
    var verified: Verified?
  }

  /// The body that was verified, and for which key.
  struct Verified {
    var identity: DiskFileStatus.Identity
    var keyHash: UInt64
    var checksum: UInt64
  }

  private var places: [DiskEntryName: RecencyList<Entry>.Place] = [:]
  private var entries = RecencyList<Entry>()
  /// Names of entries with ``Entry/isTouched``, and of some that were removed since.
  private var touched: [DiskEntryName] = []

  private(set) var totalLength = 0
  private(set) var totalAllocated = 0
  var count: Int { places.count }
  /// The number and length of entries that are partial bodies.
  private(set) var parts = (count: 0, length: 0)

  /// Bytes that a file of `length` bytes takes.
  static func allocation(_ length: Int) -> Int { (length + 4095) & ~4095 }

  subscript(name: DiskEntryName) -> Entry? { places[name].map { entries[$0] } }

  /// Applies a change of the files.
  ///
  /// - Parameter isResize: whether an entry only has another size: it keeps its place in the order of use.
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

  /// Returns the entry, which becomes the most recently used.
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

  /// Notes that another process has used the entry.
  mutating func noteUse(_ name: DiskEntryName, at time: Int64) {
    guard let place = places[name] else { return }
    entries[place].lastUsed = time
    entries.use(place)
  }

  /// Returns the entries whose time of use is later than what their files say; their files are about to be told.
  mutating func takeTouched() -> [(name: DiskEntryName, lastUsed: Int64)] {
    defer { touched = [] }
    return touched.compactMap { name in
      guard let place = places[name], entries[place].isTouched else { return nil }
      entries[place].isTouched = false
      return (name, entries[place].lastUsed)
    }
  }

  /// Notes that the body was verified, unless another has taken its place since.
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

  /// Returns the entry to evict next, leaving out `spared`.
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
