package import Foundation

/// The changes of a store that are not written yet: the latest change of each key. A value type.
///
/// Changes wait until ``next(bytes:count:)`` returns them, and are tracked until they are finished. Only one change of
/// a key is written at a time.
package struct PendingWrites {
  package enum Write: Equatable, Sendable {
    /// Stores data with a lifetime in milliseconds; 0 for no lifetime.
    case store(Data, milliseconds: Int = 0)
    case remove

    fileprivate var byteCount: Int {
      switch self {
      case .store(let data, _): data.count
      case .remove: 0
      }
    }

    fileprivate var isStore: Bool { self != .remove }
  }

  /// The maximum size of pending and running changes, in bytes.
  private let byteLimit: Int
  /// The maximum number of pending keys when data is added.
  private let countLimit: Int
  /// The maximum number of pending keys when a removal is added. Removals need almost no memory, and must not be
  /// dropped, because outdated data must not be read.
  private let removalLimit: Int

  package private(set) var byteCount = 0
  private var waiting: [String: Write] = [:]
  private var running: [String: Write] = [:]
  /// The pending keys, in order of arrival.
  private var order: [String] = []
  /// The number of a removal of all data that precedes the pending changes; `nil` if there is none.
  package private(set) var removalOfAll: UInt64?
  private var lastRemoval: UInt64 = 0
  /// Closures to call when the change of a key is finished.
  private var followers: [String: [@Sendable () -> Void]] = [:]

  package init(byteLimit: Int, countLimit: Int = 10_000, removalLimit: Int = 100_000) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
    self.removalLimit = max(countLimit, removalLimit)
  }

  package var isEmpty: Bool { waiting.isEmpty && running.isEmpty && removalOfAll == nil && followers.isEmpty }
  package var waitingCount: Int { waiting.count }
  package var runningCount: Int { running.count }

  /// Returns the pending change of the key; `nil` if the data in the store is current.
  package subscript(key: String) -> Write? { waiting[key] ?? (removalOfAll == nil ? running[key] : .remove) }

  /// - Returns: `false` if there is no room. The key's existing data is then removed from the store, because it is
  ///   outdated.
  package mutating func add(_ write: Write, for key: String) -> Bool {
    let old = waiting.removeValue(forKey: key)
    byteCount -= old?.byteCount ?? 0
    let isTaken = hasRoom(for: write)
    guard isTaken || hasRoom(for: .remove) else {
      if old != nil, let index = order.firstIndex(of: key) { order.remove(at: index) }
      return false
    }
    waiting[key] = isTaken ? write : .remove
    byteCount += isTaken ? write.byteCount : 0
    // The change keeps the position of the one it replaces.
    if old == nil { order.append(key) }
    return isTaken
  }

  private func hasRoom(for write: Write) -> Bool {
    switch write {
    case .store(let data, _): byteCount + data.count <= byteLimit && waiting.count < countLimit
    case .remove: waiting.count < removalLimit
    }
  }

  // MARK: Writing

  /// Returns the oldest changes: at most `count`, and at most `bytes` of data unless the first one is larger.
  package mutating func next(bytes: Int = .max, count: Int = 1) -> [(key: String, write: Write)] {
    var (left, batch, passed) = (bytes, [(key: String, write: Write)](), 0)
    for key in order {
      guard batch.count < count else { break }
      if running[key] == nil, let write = waiting[key] {
        guard batch.isEmpty || write.byteCount <= left else { break }
        left -= write.byteCount
        batch.append((key, write))
      }
      passed += 1
    }
    for (key, write) in batch {
      waiting[key] = nil
      running[key] = write
    }
    order.replaceSubrange(..<passed, with: order[..<passed].filter { waiting[$0] != nil })
    return batch
  }

  /// Finishes the change of a key that was written or dropped.
  package mutating func finish(_ key: String) { byteCount -= running.removeValue(forKey: key)?.byteCount ?? 0 }

  /// Drops all pending changes.
  ///
  /// - Returns: the number of dropped changes.
  package mutating func dropWaiting() -> Int {
    defer { (waiting, order) = ([:], []) }
    byteCount -= waiting.values.reduce(0) { $0 + $1.byteCount }
    return waiting.count
  }

  /// Drops all pending data, because nothing can be written. Removals stay pending.
  ///
  /// - Returns: the number of dropped changes.
  package mutating func dropData() -> Int {
    let removed = running.filter { !$0.value.isStore && waiting[$0.key] == nil }
    let count = running.values.count(where: \.isStore) + waiting.values.count(where: \.isStore)
    waiting = waiting.filter { !$0.value.isStore }.merging(removed) { $1 }
    order = Array(removed.keys) + order.filter { waiting[$0] != nil }
    (running, byteCount) = ([:], 0)
    return count
  }

  // MARK: Removing all

  package mutating func removeAll() {
    _ = dropWaiting()
    lastRemoval += 1
    removalOfAll = lastRemoval
  }

  package mutating func finishRemovalOfAll(_ number: UInt64) {
    if removalOfAll == number { removalOfAll = nil }
  }

  // MARK: Followers

  /// Calls `body` when the change of `key` is finished.
  ///
  /// - Returns: `false` if there is no change.
  package mutating func follow(_ key: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard isPending(key) else { return false }
    followers[key, default: []].append(body)
    return true
  }

  /// Removes and returns the followers of keys that have no change anymore, or of all keys.
  package mutating func takeFollowers(all: Bool = false) -> [@Sendable () -> Void] {
    if followers.isEmpty { return [] }
    return followers.keys.filter { all || !isPending($0) }.flatMap { followers.removeValue(forKey: $0) ?? [] }
  }

  private func isPending(_ key: String) -> Bool { waiting[key] != nil || running[key] != nil }
}
