/// The entries of a store in the order of their use: a plain value, doubly linked by places in an array.
struct DiskIndex {
  struct Entry {
    let name: DiskEntryName
    /// Bytes of the body.
    var length: Int
    /// Bytes that the files of the body and of the metadata take.
    var allocated: Int
    /// Nanoseconds since 1970.
    var lastUsed: Int64
    /// Whether ``lastUsed`` is later than what the file says.
    var isTouched = false
    /// Set once the body was found to be what the metadata promises.
    var verified: Verified?
    fileprivate var newer = none
    fileprivate var older = none
  }

  /// The body that was verified, and for which key.
  struct Verified {
    var identity: DiskFileStatus.Identity
    var keyHash: UInt64
  }

  fileprivate static let none: Int32 = -1

  private var places: [DiskEntryName: Int32] = [:]
  private var entries: [Entry] = []
  private var free: [Int32] = []
  private var newest = none
  private var oldest = none
  /// Names of entries with ``Entry/isTouched``, and of some that have gone since.
  private var touched: [DiskEntryName] = []

  private(set) var totalLength = 0
  private(set) var totalAllocated = 0
  var count: Int { places.count }
  /// What of both are parts of bodies.
  private(set) var parts = (count: 0, length: 0)

  /// Bytes that a file of `length` bytes takes.
  static func allocation(_ length: Int) -> Int { (length + 4095) & ~4095 }

  subscript(name: DiskEntryName) -> Entry? { places[name].map { entries[Int($0)] } }

  /// Adds an entry or replaces it, as the one used last.
  mutating func insert(_ name: DiskEntryName, length: Int, allocated: Int, lastUsed: Int64) {
    remove(name)
    let entry = Entry(name: name, length: length, allocated: allocated, lastUsed: lastUsed)
    let place: Int32
    if let reused = free.popLast() {
      place = reused
      entries[Int(place)] = entry
    } else {
      place = Int32(entries.count)
      entries.append(entry)
    }
    places[name] = place
    totalLength += length
    totalAllocated += allocated
    countPart(name, 1, length)
    linkAsNewest(place)
  }

  private mutating func countPart(_ name: DiskEntryName, _ count: Int, _ length: Int) {
    if name.isPart { parts = (parts.count + count, parts.length + length) }
  }

  @discardableResult
  mutating func remove(_ name: DiskEntryName) -> Entry? {
    guard let place = places.removeValue(forKey: name) else { return nil }
    unlink(place)
    free.append(place)
    let entry = entries[Int(place)]
    totalLength -= entry.length
    totalAllocated -= entry.allocated
    countPart(name, -1, -entry.length)
    return entry
  }

  mutating func removeAll() { self = DiskIndex() }

  /// The entry, as the one used last.
  mutating func use(_ name: DiskEntryName, at time: Int64) -> Entry? {
    guard let place = places[name] else { return nil }
    entries[Int(place)].lastUsed = time
    if !entries[Int(place)].isTouched {
      entries[Int(place)].isTouched = true
      touched.append(name)
    }
    if newest != place {
      unlink(place)
      linkAsNewest(place)
    }
    return entries[Int(place)]
  }

  /// Another process has used the entry.
  mutating func noteUse(_ name: DiskEntryName, at time: Int64) {
    guard let place = places[name] else { return }
    entries[Int(place)].lastUsed = time
    unlink(place)
    linkAsNewest(place)
  }

  /// The time of use was written to the file.
  mutating func takeTouched() -> [(name: DiskEntryName, lastUsed: Int64)] {
    defer { touched = [] }
    return touched.compactMap { name in
      guard let place = places[name], entries[Int(place)].isTouched else { return nil }
      entries[Int(place)].isTouched = false
      return (name, entries[Int(place)].lastUsed)
    }
  }

  /// The body was verified, unless another has taken its place since.
  mutating func noteVerified(_ name: DiskEntryName, _ verified: Verified, length: Int) {
    guard let place = places[name], entries[Int(place)].length == length else { return }
    entries[Int(place)].verified = verified
  }

  /// The files of an entry have changed their lengths.
  mutating func resize(_ name: DiskEntryName, length: Int, allocated: Int) {
    guard let place = places[name] else { return }
    totalAllocated += allocated - entries[Int(place)].allocated
    totalLength += length - entries[Int(place)].length
    countPart(name, 0, length - entries[Int(place)].length)
    entries[Int(place)].allocated = allocated
    entries[Int(place)].length = length
  }

  /// The entry that goes first, `spared` apart.
  func leastRecentlyUsed(sparing spared: DiskEntryName?) -> Entry? {
    guard oldest != Self.none else { return nil }
    let entry = entries[Int(oldest)]
    guard entry.name == spared else { return entry }
    return entry.newer == Self.none ? nil : entries[Int(entry.newer)]
  }

  /// From the least recently used on.
  var names: [DiskEntryName] {
    var names: [DiskEntryName] = []
    var place = oldest
    while place != Self.none {
      names.append(entries[Int(place)].name)
      place = entries[Int(place)].newer
    }
    return names
  }

  private mutating func linkAsNewest(_ place: Int32) {
    entries[Int(place)].older = newest
    entries[Int(place)].newer = Self.none
    if newest == Self.none {
      oldest = place
    } else {
      entries[Int(newest)].newer = place
    }
    newest = place
  }

  private mutating func unlink(_ place: Int32) {
    let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
    if newer == Self.none { newest = older } else { entries[Int(newer)].older = older }
    if older == Self.none { oldest = newer } else { entries[Int(older)].newer = newer }
  }
}
