import Foundation

/// Changes that are not on the disk yet: a plain value. The last change of a key is the one that counts.
struct StagedWrites {
  enum Change {
    /// The part is what of the data is on the disk already.
    case store(Data, DiskPart?, Label)
    case remove
  }

  /// The metadata stored beside data.
  struct Label {
    var kind = "data"
    var variantOf: String?
    var attributes: [UInt8] = []
  }

  struct Staged {
    let number: UInt64
    /// The number of the first change of the key that has waited since: its place in ``order``.
    fileprivate(set) var place: UInt64
    let key: String
    let change: Change
    /// Bytes that wait.
    let cost: Int
    /// Let go of when the change is on the disk, or does not count any more.
    var leases: [DiskLease]
  }

  /// The state of a key.
  enum Lookup {
    case data(Data, Label)
    case removed
    /// Nothing is staged: what is on the disk counts.
    case none
  }

  /// Bytes that may wait.
  let byteLimit: Int
  private(set) var byteCount = 0
  private var staged: [String: Staged] = [:]
  /// Places with their keys in their order, from ``first`` on; with those of changes that are no longer staged.
  private var order: [(place: UInt64, key: String)] = []
  private var first = 0
  private var lastNumber: UInt64 = 0
  /// The removal of all that is to come before the staged changes.
  private(set) var removalOfAll: UInt64?
  /// Parts of data that is not to be stored any more.
  private var abandoned: [DiskPart] = []
  /// Leases that are not held any more, to be let go of outside of the lock: those who wait for them are called.
  private var released: [DiskLease] = []

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  var isEmpty: Bool { staged.isEmpty && removalOfAll == nil && abandoned.isEmpty }

  /// - Returns: `true` if there was room. Otherwise what is stored for the key is to be removed, so that nobody is
  ///   given old data for new.
  mutating func store(
    _ data: Data, for key: String, from part: DiskPart? = nil, label: Label = Label(), lease: DiskLease? = nil
  ) -> Bool {
    // What is on the disk does not wait.
    let cost = key.utf8.count + label.attributes.count + (part?.missing(of: data) ?? data.count)
    if byteCount + cost > byteLimit {
      // What it takes the place of does not wait any more.
      remove(key)
      if byteCount + cost > byteLimit {
        abandon(part)
        return false
      }
    }
    add(.store(data, part, label), for: key, cost: cost, lease: lease)
    return true
  }

  /// Has `lease` let go of with the change of `key`.
  ///
  /// - Returns: `true` if there is one.
  mutating func keep(_ lease: DiskLease, with key: String) -> Bool {
    guard staged[key] != nil else { return false }
    staged[key]?.leases.append(lease)
    return true
  }

  mutating func remove(_ key: String) { add(.remove, for: key) }

  /// A part that leads to nothing, to be removed by whoever writes.
  mutating func abandon(_ part: DiskPart?) { if let part { abandoned.append(part) } }

  mutating func takeAbandoned() -> [DiskPart] {
    defer { abandoned = [] }
    return abandoned
  }

  mutating func takeReleased() -> [DiskLease] {
    if released.isEmpty { return [] }
    defer { released = [] }
    return released
  }

  mutating func removeAll() {
    for dropped in staged.values { giveUp(dropped) }
    staged = [:]
    order = []
    first = 0
    byteCount = 0
    lastNumber += 1
    removalOfAll = lastNumber
  }

  subscript(key: String) -> Lookup {
    switch staged[key]?.change {
    case .store(let data, _, let label): .data(data, label)
    case .remove: .removed
    case nil: removalOfAll == nil ? .none : .removed
    }
  }

  /// The change of `key`, to be written.
  func change(of key: String) -> Staged? { staged[key] }

  /// Changes of at most `bytes` bytes and `count` keys, oldest first; at least one if there are any. They stay staged until
  /// they are finished.
  mutating func batch(bytes: Int, count: Int) -> [Staged] {
    while first < order.count, staged[order[first].key]?.place != order[first].place { first += 1 }
    if first > 64, first * 2 > order.count {
      order.removeSubrange(..<first)
      first = 0
    }
    var left = bytes
    var batch: [Staged] = []
    for (place, key) in order[first...] {
      guard let change = staged[key], change.place == place else { continue }
      guard batch.isEmpty || (change.cost <= left && batch.count < count) else { break }
      left -= change.cost
      batch.append(change)
    }
    return batch
  }

  /// Removes what has been written from the stage, unless it has changed since.
  mutating func finish(_ written: [Staged]) {
    for change in written where staged[change.key]?.number == change.number { drop(change.key) }
  }

  mutating func finishRemovalOfAll(_ number: UInt64) {
    if removalOfAll == number { removalOfAll = nil }
  }

  private mutating func add(_ change: Change, for key: String, cost: Int? = nil, lease: DiskLease? = nil) {
    lastNumber += 1
    var added = Staged(
      number: lastNumber, place: lastNumber, key: key, change: change, cost: cost ?? key.utf8.count,
      leases: lease.map { [$0] } ?? [])
    byteCount += added.cost
    if let index = staged.index(forKey: key) {
      added.place = staged.values[index].place
      swap(&added, &staged.values[index])
      return giveUp(added)
    }
    staged[key] = added
    order.append((lastNumber, key))
    if order.count > 2 * staged.count + 64 {
      order = order[first...].filter { staged[$0.key]?.place == $0.place }
      first = 0
    }
  }

  private mutating func drop(_ key: String) {
    guard let dropped = staged.removeValue(forKey: key) else { return }
    byteCount -= dropped.cost
    if !dropped.leases.isEmpty { released += dropped.leases }
  }

  /// The change does not count any more.
  private mutating func giveUp(_ change: Staged) {
    byteCount -= change.cost
    if !change.leases.isEmpty { released += change.leases }
    if case .store(_, let part?, _) = change.change { abandon(part) }
  }
}
