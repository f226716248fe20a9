import NukeBase

/// The requests to prefetch: those that wait, in the order in which they were added, and those that are running.
///
/// Adding, removing and starting a request take constant time. Each key is in the schedule once.
package struct PrefetchSchedule<Key: Hashable, Request, Task>: ~Copyable {
  /// Identifies a running request. It is invalid once the request has ended or been removed.
  package struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  // Not private: Swift 6.3 cannot compile a list of a private type in a structure that other files copy.
  struct Waiting {
    let key: Key
    let request: Request
  }

  fileprivate struct Running {
    let key: Key
    /// The task, once it is known.
    var task: Task?
  }

  private enum Status {
    case waiting(RecencyList<Waiting>.Index)
    case running(ID)
  }

  private var statuses: [Key: Status] = [:]
  private var waiting = RecencyList<Waiting>()
  private var running: [ID: Running] = [:]
  private var lastNumber: UInt64 = 0

  /// The number of requests that have been started and have not ended.
  package var runningCount: Int { running.count }
  /// The number of waiting and running requests.
  package var count: Int { statuses.count }

  package init() {}

  /// Reserves capacity for `more` requests.
  package mutating func reserve(_ more: Int) {
    // Grows by doubling at least. Otherwise a series of small additions would copy everything each time.
    guard statuses.count + more > statuses.capacity else { return }
    statuses.reserveCapacity(max(statuses.count + more, 2 * statuses.count))
  }

  /// Appends a request, unless its key is in the schedule.
  package mutating func add(_ request: Request, key: Key) {
    if statuses[key] == nil { statuses[key] = .waiting(waiting.append(Waiting(key: key, request: request))) }
  }

  /// Starts the next request if fewer than `limit` are running.
  package mutating func startNext(limit: Int) -> (id: ID, request: Request)? {
    guard runningCount < limit, let next = waiting.oldest else { return nil }
    let started = waiting.remove(next)
    lastNumber += 1
    let id = ID(number: lastNumber)
    statuses[started.key] = .running(id)
    running[id] = Running(key: started.key)
    return (id, started.request)
  }

  /// Stores the task of a started request. Returns `false` if the request has ended or been removed meanwhile.
  package mutating func note(_ task: Task, of id: ID) -> Bool {
    guard running[id] != nil else { return false }
    running[id]?.task = task
    return true
  }

  /// Removes a running request that has ended. Ignored if it has been removed before.
  package mutating func end(_ id: ID) -> Removed {
    var removed = Removed()
    if let ended = running.removeValue(forKey: id) {
      statuses[ended.key] = nil
      removed.running.append(ended)
    }
    return removed
  }

  /// The removed requests. They retain objects of the program, which must be released outside any lock.
  package struct Removed {
    fileprivate var waiting: [Waiting] = []
    fileprivate var running: [Running] = []

    /// The tasks that were running.
    package var tasks: [Task] { running.compactMap(\.task) }
  }

  /// Removes the requests with these keys.
  package mutating func remove(_ keys: [Key]) -> Removed {
    var removed = Removed()
    removed.waiting.reserveCapacity(keys.count)
    for key in keys {
      switch statuses.removeValue(forKey: key) {
      case .waiting(let place)?: removed.waiting.append(waiting.remove(place))
      case .running(let id)?: removed.running.append(running.removeValue(forKey: id)!)
      case nil: break
      }
    }
    return removed
  }

  /// Removes all requests. Their tasks are in the order in which they were started.
  package mutating func removeAll() -> Removed {
    var removed = Removed(running: running.sorted { $0.key.number < $1.key.number }.map(\.value))
    while let place = waiting.oldest { removed.waiting.append(waiting.remove(place)) }
    (statuses, running) = ([:], [:])
    return removed
  }

  /// The running tasks.
  package var tasks: [Task] { running.values.compactMap(\.task) }
}
