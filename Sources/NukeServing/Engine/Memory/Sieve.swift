import Foundation

/// The entries of a ``RenditionMemoryCache`` in eviction order, by the algorithm SIEVE. A hit sets a flag and moves
/// nothing, so that no ordered collection is needed.
struct Sieve {
  final class Entry {
    let request: RenditionRequest
    let hash: Int
    var record: RenditionRecord
    var cost: Int
    /// `true` if the entry was used since the hand last passed it.
    var wasUsed = false
    /// The next newer entry. The table owns all entries: if entries owned each other, releasing a long list would
    /// recurse.
    unowned(unsafe) var newer: Entry?
    /// The next older entry.
    unowned(unsafe) var older: Entry?
    /// The next entry with the same hash.
    var next: Entry?

    init(_ record: RenditionRecord, for request: RenditionRequest, hash: Int, cost: Int) {
      self.request = request
      self.hash = hash
      self.record = record
      self.cost = cost
    }
  }

  private var entries: [Int: Entry] = [:]
  private var oldest: Entry?
  private var newest: Entry?
  /// The entry at which eviction continues; `nil` to start with the oldest.
  private var hand: Entry?
  private(set) var cost = 0
  private(set) var count = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  func find(_ request: RenditionRequest, hash: Int) -> RenditionRecord? {
    guard let entry = entry(request, hash: hash) else { return nil }
    if !entry.wasUsed { entry.wasUsed = true }
    return entry.record
  }

  /// - Parameter request: the request without options that do not affect the file.
  /// - Returns: the replaced and the evicted records.
  mutating func keep(
    _ record: RenditionRecord, for request: RenditionRequest, hash: Int, cost: Int
  ) -> [RenditionRecord] {
    if let entry = entry(request, hash: hash) {
      let replaced = entry.record
      self.cost += cost - entry.cost
      entry.record = record
      entry.cost = cost
      entry.wasUsed = true
      return [replaced] + trim(toCost: limit)
    }
    // Evict first, so that the hand cannot evict the new entry.
    let removed = trim(toCost: limit - cost)
    let entry = Entry(record, for: request, hash: hash, cost: cost)
    entry.next = entries[hash]
    entries[hash] = entry
    entry.older = newest
    newest?.newer = entry
    newest = entry
    if oldest == nil { oldest = entry }
    self.cost += cost
    count += 1
    return removed
  }

  mutating func remove(_ request: RenditionRequest, hash: Int) -> [RenditionRecord] {
    guard let entry = entry(request, hash: hash) else { return [] }
    unlink(entry)
    return [entry.record]
  }

  /// Visits all entries.
  mutating func removeAll(of source: URL) -> [RenditionRecord] {
    var removed: [RenditionRecord] = []
    var next = oldest
    while let entry = next {
      next = entry.newer
      guard entry.request.source == source else { continue }
      unlink(entry)
      removed.append(entry.record)
    }
    return removed
  }

  mutating func trim(toCost limit: Int) -> [RenditionRecord] {
    var removed: [RenditionRecord] = []
    while cost > limit, let entry = hand ?? oldest {
      hand = entry.newer
      if entry.wasUsed {
        entry.wasUsed = false
      } else {
        unlink(entry)
        removed.append(entry.record)
      }
    }
    return removed
  }

  private func entry(_ request: RenditionRequest, hash: Int) -> Entry? {
    var candidate = entries[hash]
    while let entry = candidate {
      if entry.request.isOfSameFile(request) { return entry }
      candidate = entry.next
    }
    return nil
  }

  private mutating func unlink(_ entry: Entry) {
    if hand === entry { hand = entry.newer }
    if let newer = entry.newer { newer.older = entry.older } else { newest = entry.older }
    if let older = entry.older { older.newer = entry.newer } else { oldest = entry.newer }
    entry.newer = nil
    entry.older = nil
    if let first = entries[entry.hash], first === entry {
      entries[entry.hash] = entry.next
    } else {
      var before = entries[entry.hash]
      while let candidate = before, candidate.next !== entry { before = candidate.next }
      before?.next = entry.next
    }
    entry.next = nil
    cost -= entry.cost
    count -= 1
  }
}

extension RenditionRequest {
  /// Returns `true` if both requests have the same file. This request has no options that do not affect the file.
  fileprivate func isOfSameFile(_ other: RenditionRequest) -> Bool {
    source == other.source && format == other.format && movingFormat == other.movingFormat && output == other.output
      && sourceFields == other.sourceFields && options == other.options.ofFile
  }
}
