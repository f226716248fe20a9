import Foundation
import NukeImaging

/// The entries of a ``RenditionMemoryCache`` and the order in which they go.
struct Sieve {
  final class Entry {
    let request: RenditionRequest
    let hash: Int
    var record: RenditionRecord
    var cost: Int
    /// Since the hand came by.
    var wasUsed = false
    /// Towards what came later. All entries are held by the table, so that a long row is not let go of one through the
    /// other.
    unowned(unsafe) var newer: Entry?
    /// Towards what came before.
    unowned(unsafe) var older: Entry?
    /// Another one of the same hash.
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
  /// The entry at which eviction goes on; `nil` for the oldest.
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

  /// - Parameter request: without what does not change the file.
  /// - Returns: what is not kept any more.
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
    // Room first, so that the hand does not take what has just come.
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
  /// Returns `true` if the same file is sent for both. This one is without what does not change the file.
  fileprivate func isOfSameFile(_ other: RenditionRequest) -> Bool {
    source == other.source && format == other.format && movingFormat == other.movingFormat && output == other.output
      && options == other.options.ofFile
  }
}
