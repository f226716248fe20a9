package import Foundation

/// The changes of a store that are not written yet: the latest of each key. It is a value.
///
/// Changes wait until ``next(bytes:count:)`` hands them out, and are known until they are finished. Of one key, one
/// change is handed out at a time.
package struct PendingWrites {
  package enum Write: Equatable, Sendable {
    /// The store keeps the data for `milliseconds`; 0 if it is not told for how long.
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

  /// The maximum size of the data that waits or is being written, in bytes.
  private let byteLimit: Int
  /// The maximum number of waiting keys while data is added.
  private let countLimit: Int
  /// The maximum number of waiting keys while removals are added: they take next to no memory, and what they remove must
  /// not be read.
  private let removalLimit: Int

  package private(set) var byteCount = 0
  private var waiting: [String: Write] = [:]
  private var running: [String: Write] = [:]
  /// The waiting keys, in the order in which they came.
  private var order: [String] = []
  /// The removal of all that was stored before the waiting changes; its number.
  package private(set) var removalOfAll: UInt64?
  private var lastRemoval: UInt64 = 0
  /// To be called once the change of a key is finished.
  private var followers: [String: [@Sendable () -> Void]] = [:]

  package init(byteLimit: Int, countLimit: Int = 10_000, removalLimit: Int = 100_000) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
    self.removalLimit = max(countLimit, removalLimit)
  }

  package var isEmpty: Bool { waiting.isEmpty && running.isEmpty && removalOfAll == nil && followers.isEmpty }
  package var waitingCount: Int { waiting.count }
  package var runningCount: Int { running.count }

  /// Returns the change that decides about the key; `nil` if what the store has counts.
  package subscript(key: String) -> Write? { waiting[key] ?? (removalOfAll == nil ? running[key] : .remove) }

  /// - Returns: `false` if there is no room. Then what the store has is removed, since it is no longer right.
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
    // It keeps the place of the one it replaces.
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

  /// Hands out the oldest changes: at most `count`, and at most `bytes` of data unless the first has more.
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

  /// The change of the key was written, or is given up.
  package mutating func finish(_ key: String) { byteCount -= running.removeValue(forKey: key)?.byteCount ?? 0 }

  /// Gives up what waits.
  ///
  /// - Returns: the number of changes.
  package mutating func dropWaiting() -> Int {
    defer { (waiting, order) = ([:], []) }
    byteCount -= waiting.values.reduce(0) { $0 + $1.byteCount }
    return waiting.count
  }

  /// Gives up all data, since nothing can be written. What is to be removed is removed later.
  ///
  /// - Returns: the number of changes that were given up.
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

  /// Has `body` called when the change of `key` is finished.
  ///
  /// - Returns: `false` if there is none.
  package mutating func follow(_ key: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard isPending(key) else { return false }
    followers[key, default: []].append(body)
    return true
  }

  /// Takes the followers of keys that have no change any more, or of all keys.
  package mutating func takeFollowers(all: Bool = false) -> [@Sendable () -> Void] {
    if followers.isEmpty { return [] }
    return followers.keys.filter { all || !isPending($0) }.flatMap { followers.removeValue(forKey: $0) ?? [] }
  }

  private func isPending(_ key: String) -> Bool { waiting[key] != nil || running[key] != nil }
}
