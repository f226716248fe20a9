import Foundation
import NukeBase

/// The metadata that is stored with the data of an entry.
package struct EntryLabel: Sendable {
  /// What the entry is, such as "data".
  package var kind: String
  /// The key of the original's entry, if this entry was made from it.
  package var variantOf: String?
  /// Bytes that describe the data, such as the version of the original.
  package var attributes: [UInt8]

  package init(kind: String = "data", variantOf: String? = nil, attributes: [UInt8] = []) {
    self.kind = kind
    self.variantOf = variantOf
    self.attributes = attributes
  }
}

/// The changes that are not on disk yet. A value type. Only the last change of a key is kept, in the position of the
/// first.
struct StagedWrites: ~Copyable {
  enum Change {
    /// Stores data. The partial body already contains its beginning on disk.
    case store(Data, DiskPart?, EntryLabel)
    case remove
  }

  struct Staged {
    let number: UInt64
    let key: String
    let change: Change
    /// The size of the data that waits, in bytes.
    let cost: Int
    /// The leases to release when the change is on disk or was replaced.
    var leases: [DiskLease]
  }

  /// The state of a key.
  enum Lookup {
    case data(Data, EntryLabel)
    case removed
    /// There is no staged change; the entry on disk is current.
    case none
  }

  /// The maximum size of staged data, in bytes.
  let byteLimit: Int
  private(set) var byteCount = 0
  private var indices: [String: RecencyList<Staged>.Index] = [:]
  private var changes = RecencyList<Staged>()
  private var lastNumber: UInt64 = 0
  /// The number of a removal of all entries that precedes the staged changes.
  private(set) var removalOfAll: UInt64?
  /// Partial bodies to remove.
  private var abandoned: [DiskPart] = []
  /// Leases to release outside the lock, because releasing calls waiters.
  private var released: [DiskLease] = []

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  var isEmpty: Bool { indices.isEmpty && removalOfAll == nil && abandoned.isEmpty }

  /// Stages data.
  ///
  /// - Returns: `true` if there was room. Otherwise, the entry of the key will be removed, so that no outdated data is
  ///   served.
  mutating func store(
    _ data: Data, for key: String, from part: DiskPart? = nil, label: EntryLabel = EntryLabel(), lease: DiskLease? = nil
  ) -> Bool {
    // Bytes that are already on disk do not count as waiting.
    let cost = key.utf8.count + label.attributes.count + (part?.missing(of: data) ?? data.count)
    if byteCount + cost > byteLimit {
      // The replaced change no longer counts.
      remove(key)
      if byteCount + cost > byteLimit {
        abandon(part)
        return false
      }
    }
    add(.store(data, part, label), for: key, cost: cost, lease: lease)
    return true
  }

  /// Stages data of any size, if there is room or nothing else waits.
  ///
  /// - Returns: `false` if there is no room. Nothing has changed then.
  mutating func storeIfRoom(_ data: Data, for key: String) -> Bool {
    let (cost, others) = (key.utf8.count + data.count, byteCount - (change(of: key)?.cost ?? 0))
    guard others == 0 || others + cost <= byteLimit else { return false }
    add(.store(data, nil, EntryLabel()), for: key, cost: cost)
    return true
  }

  /// Releases `lease` together with the change of `key`.
  ///
  /// - Returns: `true` if there is a change.
  mutating func keep(_ lease: DiskLease, with key: String) -> Bool {
    guard let index = indices[key] else { return false }
    changes[index].leases.append(lease)
    return true
  }

  mutating func remove(_ key: String) { add(.remove, for: key) }

  /// Lets the writer remove a partial body.
  mutating func abandon(_ part: DiskPart?) { if let part { abandoned.append(part) } }

  mutating func takeAbandoned() -> [DiskPart] { exchange(&abandoned, with: []) }

  mutating func takeReleased() -> [DiskLease] { exchange(&released, with: []) }

  mutating func removeAll() {
    for index in indices.values { giveUp(changes.remove(index)) }
    indices = [:]
    lastNumber += 1
    removalOfAll = lastNumber
  }

  subscript(key: String) -> Lookup {
    switch change(of: key)?.change {
    case .store(let data, _, let label): .data(data, label)
    case .remove: .removed
    case nil: removalOfAll == nil ? .none : .removed
    }
  }

  /// Returns the change of `key`.
  func change(of key: String) -> Staged? { indices[key].map { changes[$0] } }

  /// Returns the oldest changes, up to `bytes` bytes and `count` keys; at least one if there are any. They stay staged
  /// until they are finished.
  func batch(bytes: Int, count: Int) -> [Staged] {
    var left = bytes
    var batch: [Staged] = []
    var next = changes.oldest
    while let index = next, batch.isEmpty || (changes[index].cost <= left && batch.count < count) {
      left -= changes[index].cost
      batch.append(changes[index])
      next = changes.newer(than: index)
    }
    return batch
  }

  /// Removes written changes, unless they were replaced since.
  mutating func finish(_ written: [Staged]) {
    for change in written {
      guard let index = indices[change.key], changes[index].number == change.number else { continue }
      indices[change.key] = nil
      let dropped = changes.remove(index)
      byteCount -= dropped.cost
      released += dropped.leases
    }
  }

  mutating func finishRemovalOfAll(_ number: UInt64) {
    if removalOfAll == number { removalOfAll = nil }
  }

  private mutating func add(_ change: Change, for key: String, cost: Int? = nil, lease: DiskLease? = nil) {
    lastNumber += 1
    var added = Staged(
      number: lastNumber, key: key, change: change, cost: cost ?? key.utf8.count, leases: lease.map { [$0] } ?? [])
    byteCount += added.cost
    guard let index = indices[key] else {
      indices[key] = changes.append(added)
      return
    }
    swap(&added, &changes[index])
    giveUp(added)
  }

  /// Subtracts a replaced change from the totals, and collects its leases and its partial body for release.
  private mutating func giveUp(_ change: Staged) {
    byteCount -= change.cost
    released += change.leases
    if case .store(_, let part?, _) = change.change { abandon(part) }
  }
}
