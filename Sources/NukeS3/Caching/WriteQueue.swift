import Foundation

/// The queue of data to write to a slow store. It is a value. Data that has not been written yet can be looked up.
struct WriteQueue {
  enum Write: Equatable {
    case store(Data)
    case remove

    fileprivate var byteCount: Int {
      switch self {
      case .store(let data): data.count
      case .remove: 0
      }
    }
  }

  /// Bytes that wait or are under way, at most.
  let byteLimit: Int
  /// Keys that wait, at most, while there is data to be written.
  let countLimit: Int
  /// Keys that wait, at most, of what is to be removed: it takes next to no memory, and is to be kept from being read.
  let removalLimit: Int

  /// The bytes that wait or are being written.
  private(set) var byteCount = 0
  /// The latest by key: an earlier one that still waits is not written at all.
  private var waiting: [String: Write] = [:]
  private var running: [String: Write] = [:]
  /// Keys that wait, in the order they came in.
  private var order: [String] = []

  init(byteLimit: Int, countLimit: Int = 10_000, removalLimit: Int = 100_000) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
    self.removalLimit = max(countLimit, removalLimit)
  }

  var isEmpty: Bool { waiting.isEmpty && running.isEmpty }
  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }

  /// Returns the write that will change the key; `nil` if there is none.
  func write(for key: String) -> Write? { waiting[key] ?? running[key] }

  /// The write of the key that is under way.
  func running(_ key: String) -> Write? { running[key] }

  /// False where there is no room for it. What waited under the key is given up in any case, and what is in the store is
  /// removed: neither is right any more.
  mutating func add(_ write: Write, for key: String) -> Bool {
    let old = waiting.removeValue(forKey: key)
    byteCount -= old?.byteCount ?? 0
    let isTaken = hasRoom(for: write)
    guard isTaken || hasRoom(for: .remove) else {
      if old != nil, let place = order.firstIndex(of: key) { order.remove(at: place) }
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
    case .store(let data): byteCount + data.count <= byteLimit && waiting.count < countLimit
    case .remove: waiting.count < removalLimit
    }
  }

  /// The next to be written; `nil` if there is none. Two writes of one key are never under way at once.
  mutating func next() -> (key: String, write: Write)? {
    guard let place = order.firstIndex(where: { running[$0] == nil }) else { return nil }
    let key = order.remove(at: place)
    guard let write = waiting.removeValue(forKey: key) else { return nil }
    running[key] = write
    return (key, write)
  }

  /// The write of the key has ended, well or not.
  mutating func finish(_ key: String) { byteCount -= running.removeValue(forKey: key)?.byteCount ?? 0 }

  /// Gives up what waits, and returns how much that was.
  mutating func dropWaiting() -> Int {
    let count = waiting.count
    byteCount -= waiting.values.reduce(0) { $0 + $1.byteCount }
    waiting = [:]
    order = []
    return count
  }
}
