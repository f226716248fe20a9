/// The requests to prefetch: those that wait, in the order in which they were added, and those that are running.
///
/// Adding, removing and starting a request take constant time. Each key is in the schedule once.
package struct PrefetchSchedule<Key: Hashable, Request, Task> {
  /// Identifies a running request. It is invalid once the request has ended or been removed.
  package struct ID: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  private static var none: Int32 { -1 }

  fileprivate struct Entry {
    var generation: UInt32 = 0
    var key: Key?
    /// The waiting request; `nil` once it has been started.
    var request: Request?
    /// The running task, once it is known.
    var task: Task?
    // The neighbors among the waiting requests.
    var previous = none
    var next = none
  }

  private var entries: [Entry] = []
  private var free: [Int32] = []
  private var index: [Key: Int32] = [:]
  private var first = none
  private var last = none

  /// The number of requests that have been started and have not ended.
  package private(set) var runningCount = 0
  /// The number of waiting and running requests.
  package var count: Int { index.count }

  package init() {}

  /// Reserves capacity for `more` requests.
  package mutating func reserve(_ more: Int) {
    // Grows by doubling at least. Otherwise a series of small additions would copy everything each time.
    guard index.count + more > index.capacity else { return }
    let capacity = max(index.count + more, 2 * index.count)
    index.reserveCapacity(capacity)
    entries.reserveCapacity(capacity)
  }

  /// Appends a request, unless its key is in the schedule.
  package mutating func add(_ request: Request, key: Key) {
    guard index[key] == nil else { return }
    let place = free.last ?? Int32(entries.count)
    index[key] = place
    if free.isEmpty { entries.append(Entry()) } else { free.removeLast() }
    entries[Int(place)].key = key
    entries[Int(place)].request = request
    entries[Int(place)].previous = last
    if last == Self.none {
      first = place
    } else {
      entries[Int(last)].next = place
    }
    last = place
  }

  /// Starts the next request if fewer than `limit` are running.
  package mutating func startNext(limit: Int) -> (id: ID, request: Request)? {
    guard first != Self.none, runningCount < limit else { return nil }
    let place = first
    let request = entries[Int(place)].request!
    unlink(place)
    entries[Int(place)].request = nil
    runningCount += 1
    return (ID(index: place, generation: entries[Int(place)].generation), request)
  }

  /// Stores the task of a started request. Returns `false` if the request has ended or been removed meanwhile.
  package mutating func note(_ task: Task, of id: ID) -> Bool {
    guard isAlive(id) else { return false }
    entries[Int(id.index)].task = task
    return true
  }

  /// Removes a running request that has ended. Ignored if it has been removed before.
  package mutating func end(_ id: ID) {
    if isAlive(id) { release(id.index) }
  }

  /// The removed requests. They retain objects of the program, which must be released outside any lock.
  package struct Removed {
    /// The tasks that were running.
    package let tasks: [Task]
    private let entries: [Entry]

    fileprivate init(_ entries: [Entry]) {
      tasks = entries.compactMap(\.task)
      self.entries = entries
    }
  }

  /// Removes the requests with these keys.
  package mutating func remove(_ keys: [Key]) -> Removed {
    var removed: [Entry] = []
    removed.reserveCapacity(keys.count)
    for key in keys {
      guard let place = index[key] else { continue }
      removed.append(entries[Int(place)])
      release(place)
    }
    return Removed(removed)
  }

  /// Removes all requests.
  package mutating func removeAll() -> Removed {
    let removed = entries
    index.removeAll()
    first = Self.none
    last = Self.none
    runningCount = 0
    // Generations continue, so that old identifiers stay invalid.
    entries = removed.map { Entry(generation: $0.generation &+ 1) }
    free = entries.indices.reversed().map { Int32($0) }
    return Removed(removed)
  }

  /// The running tasks.
  package var tasks: [Task] { runningCount == 0 ? [] : entries.compactMap(\.task) }

  private func isAlive(_ id: ID) -> Bool {
    entries[Int(id.index)].generation == id.generation && entries[Int(id.index)].key != nil
  }

  private mutating func release(_ place: Int32) {
    if entries[Int(place)].request == nil { runningCount -= 1 } else { unlink(place) }
    index[entries[Int(place)].key!] = nil
    entries[Int(place)] = Entry(generation: entries[Int(place)].generation &+ 1)
    free.append(place)
  }

  private mutating func unlink(_ place: Int32) {
    let (previous, next) = (entries[Int(place)].previous, entries[Int(place)].next)
    if previous == Self.none {
      first = next
    } else {
      entries[Int(previous)].next = next
    }
    if next == Self.none {
      last = previous
    } else {
      entries[Int(next)].previous = previous
    }
    entries[Int(place)].previous = Self.none
    entries[Int(place)].next = Self.none
  }
}
