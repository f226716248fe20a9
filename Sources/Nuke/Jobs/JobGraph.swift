import Foundation
import NukeBase

/// The graph of jobs, their subscribers and their priorities.
///
/// The graph is a value that only decides. Each operation appends actions to a list, and the caller performs them after
/// it has released the lock that guards the graph. Therefore no user code runs under the lock. Joining and leaving take
/// constant time, however many subscribers a job has.
///
/// Equal keys share one job. A job lives from its first subscription until it finishes or its last subscriber leaves. A
/// job that waits for another job is a subscriber of that job.
package struct JobGraph<Key: Hashable, Job: AnyObject, Client: AnyObject> {
  package typealias Priority = WorkPriority

  /// An action for the caller to perform after it has released the lock, in order.
  package enum Action {
    /// Start the new job.
    case start(Job, Priority)
    /// Stop the job. Its last subscriber has left, or all jobs were removed.
    case stop(Job)
    /// Apply the new priority, which is the highest of the job's subscribers.
    case prioritize(Job, Priority)
    /// Continue the job with the result of the finished job that it waited for.
    case resume(Job, finished: Job)
    /// Complete the client with the result of the finished job. The client is not subscribed any more.
    case complete(Client, finished: Job)
  }

  /// The actions, in order.
  package typealias Actions = SmallQueue<Action>

  /// Identifies a job. It is invalid after the job has left the graph.
  package struct JobID: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  /// Identifies a subscription of a client or a job. It is invalid after the subscription has ended.
  package struct Token: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  private static var none: Int32 { -1 }

  private struct Node {
    var generation: UInt32 = 0
    var job: Job?
    var key: Key?
    /// The first and the last of the job's subscriptions, which are in the order of joining.
    var first = none
    var last = none
    /// The subscription of this job to the job that it waits for.
    var dependency = none
    var priority = Priority.veryLow
    /// The subscriptions by priority.
    var priorities = PriorityCounts()
  }

  /// The number of subscriptions of each priority.
  private struct PriorityCounts {
    private var counts = InlineArray<5, Int32>(repeating: 0)

    var highest: Priority {
      counts.indices.last { counts[$0] > 0 }.flatMap(Priority.init(rawValue:)) ?? .veryLow
    }

    mutating func add(_ change: Int32, at priority: Priority) { counts[priority.rawValue] += change }
  }

  private struct Subscription {
    var generation: UInt32 = 0
    /// The index of the job that is subscribed to.
    var node = none
    /// The subscriber: a client, or the job at `dependent`.
    var client: Client?
    var dependent = none
    var priority = Priority.normal
    var previous = none
    var next = none
  }

  private var nodes: [Node] = []
  private var freeNodes: [Int32] = []
  private var subscriptions: [Subscription] = []
  private var freeSubscriptions: [Int32] = []
  private var index: [Key: Int32] = [:]

  /// The number of live jobs.
  package private(set) var jobCount = 0
  /// The number of live subscriptions.
  package private(set) var subscriptionCount = 0

  package init() {}

  // MARK: Subscribing

  /// Subscribes a client to the job of `key`. Creates the job if it does not exist, or if `key` is `nil`.
  ///
  /// - Returns: the subscription, the job, and `true` if the job existed.
  package mutating func join(
    _ client: Client, to key: Key?, priority: Priority, actions: inout Actions, make: (JobID) -> Job
  ) -> (token: Token, job: Job, joined: Bool) {
    let (node, joined) = findOrMake(key, priority: priority, actions: &actions, make: make)
    let subscription = subscribe(to: node, client: client, dependent: Self.none, priority: priority)
    if joined { update(node, &actions) }
    return (
      Token(index: subscription, generation: subscriptions[Int(subscription)].generation), nodes[Int(node)].job!,
      joined
    )
  }

  /// Subscribes the job `id` to the job of `key`. Creates that job if it does not exist, or if `key` is `nil`.
  ///
  /// - Returns: `true` if the job existed; `nil` if `id` has left the graph, so that nothing was changed.
  package mutating func depend(
    _ id: JobID, on key: Key?, actions: inout Actions, make: (JobID) -> Job
  ) -> Bool? {
    guard isAlive(id) else { return nil }
    precondition(nodes[Int(id.index)].dependency == Self.none, "a job waits for one other at a time")
    let priority = nodes[Int(id.index)].priority
    let (node, joined) = findOrMake(key, priority: priority, actions: &actions, make: make)
    precondition(node != id.index, "a job cannot wait for itself")
    let subscription = subscribe(to: node, client: nil, dependent: id.index, priority: priority)
    nodes[Int(id.index)].dependency = subscription
    if joined { update(node, &actions) }
    return joined
  }

  /// Ends a subscription. A job without subscribers is stopped, and then leaves the job that it waits for.
  ///
  /// - Returns: `false` if the subscription had ended, for example because the job has finished.
  package mutating func leave(_ token: Token, actions: inout Actions) -> Bool {
    guard isAlive(token) else { return false }
    unsubscribe(token.index, &actions)
    return true
  }

  /// Changes the priority of a subscription.
  package mutating func setPriority(_ priority: Priority, of token: Token, actions: inout Actions) {
    guard isAlive(token) else { return }
    changePriority(of: token.index, to: priority, &actions)
  }

  // MARK: Finishing

  /// Removes a finished job, and completes or resumes its subscribers. Has no effect if the job has been stopped.
  package mutating func finish(_ id: JobID, actions: inout Actions) {
    guard isAlive(id) else { return }
    let job = nodes[Int(id.index)].job!
    var subscription = nodes[Int(id.index)].first
    // Detached first, so that ending the dependency below cannot come back here.
    nodes[Int(id.index)].first = Self.none
    nodes[Int(id.index)].last = Self.none
    while subscription != Self.none {
      let ended = subscriptions[Int(subscription)]
      if let client = ended.client {
        actions.append(.complete(client, finished: job))
      } else {
        nodes[Int(ended.dependent)].dependency = Self.none
        actions.append(.resume(nodes[Int(ended.dependent)].job!, finished: job))
      }
      release(subscription: subscription)
      subscription = ended.next
    }
    remove(node: id.index, &actions)
  }

  /// Stops all jobs.
  ///
  /// - Returns: the clients that were subscribed.
  package mutating func removeAll(actions: inout Actions) -> [Client] {
    let clients = subscriptions.compactMap(\.client)
    for node in nodes { if let job = node.job { actions.append(.stop(job)) } }
    // Generations increase, so that old identifiers stay invalid.
    for place in nodes.indices where nodes[place].job != nil {
      let generation = nodes[place].generation &+ 1
      nodes[place] = Node(generation: generation)
      freeNodes.append(Int32(place))
    }
    for place in subscriptions.indices where subscriptions[place].node != Self.none {
      release(subscription: Int32(place))
    }
    index.removeAll()
    jobCount = 0
    return clients
  }

  // MARK: Queries

  package func isAlive(_ id: JobID) -> Bool {
    Int(id.index) < nodes.count && nodes[Int(id.index)].generation == id.generation
      && nodes[Int(id.index)].job != nil
  }

  /// Returns `true` if there is a job for `key`.
  package func contains(_ key: Key) -> Bool { index[key] != nil }

  /// Returns the job for `key`.
  package func job(of key: Key) -> Job? { index[key].flatMap { nodes[Int($0)].job } }

  package func isAlive(_ token: Token) -> Bool {
    Int(token.index) < subscriptions.count && subscriptions[Int(token.index)].generation == token.generation
      && subscriptions[Int(token.index)].node != Self.none
  }

  package func priority(of id: JobID) -> Priority? { isAlive(id) ? nodes[Int(id.index)].priority : nil }

  /// Returns the subscribers of a job: its clients, and the jobs that depend on it.
  package func subscribers(of id: JobID) -> (clients: [Client], jobs: [Job]) {
    guard isAlive(id) else { return ([], []) }
    var clients: [Client] = []
    var jobs: [Job] = []
    var subscription = nodes[Int(id.index)].first
    while subscription != Self.none {
      let waiting = subscriptions[Int(subscription)]
      if let client = waiting.client {
        clients.append(client)
      } else if let job = nodes[Int(waiting.dependent)].job {
        jobs.append(job)
      }
      subscription = waiting.next
    }
    return (clients, jobs)
  }

  /// Calls `body` with every client that waits for the job, also through other jobs.
  package func forEachClient(of id: JobID, _ body: (Client) -> Void) {
    guard isAlive(id) else { return }
    var pending = [id.index]
    while let node = pending.popLast() {
      var subscription = nodes[Int(node)].first
      while subscription != Self.none {
        let waiting = subscriptions[Int(subscription)]
        if let client = waiting.client { body(client) } else { pending.append(waiting.dependent) }
        subscription = waiting.next
      }
    }
  }

  // MARK: Storage

  private mutating func findOrMake(
    _ key: Key?, priority: Priority, actions: inout Actions, make: (JobID) -> Job
  ) -> (node: Int32, joined: Bool) {
    if let key, let node = index[key] { return (node, true) }
    let place: Int32
    if let free = freeNodes.popLast() {
      place = free
    } else {
      place = Int32(nodes.count)
      nodes.append(Node())
    }
    let job = make(JobID(index: place, generation: nodes[Int(place)].generation))
    nodes[Int(place)].job = job
    nodes[Int(place)].key = key
    nodes[Int(place)].priority = priority
    if let key { index[key] = place }
    jobCount += 1
    actions.append(.start(job, priority))
    return (place, false)
  }

  private mutating func subscribe(
    to node: Int32, client: Client?, dependent: Int32, priority: Priority
  ) -> Int32 {
    let place: Int32
    if let free = freeSubscriptions.popLast() {
      place = free
    } else {
      place = Int32(subscriptions.count)
      subscriptions.append(Subscription())
    }
    let last = nodes[Int(node)].last
    subscriptions[Int(place)].node = node
    subscriptions[Int(place)].client = client
    subscriptions[Int(place)].dependent = dependent
    subscriptions[Int(place)].priority = priority
    subscriptions[Int(place)].previous = last
    subscriptions[Int(place)].next = Self.none
    if last == Self.none {
      nodes[Int(node)].first = place
    } else {
      subscriptions[Int(last)].next = place
    }
    nodes[Int(node)].last = place
    nodes[Int(node)].priorities.add(1, at: priority)
    subscriptionCount += 1
    return place
  }

  private mutating func unsubscribe(_ place: Int32, _ actions: inout Actions) {
    let ended = subscriptions[Int(place)]
    if ended.previous == Self.none {
      nodes[Int(ended.node)].first = ended.next
    } else {
      subscriptions[Int(ended.previous)].next = ended.next
    }
    if ended.next == Self.none {
      nodes[Int(ended.node)].last = ended.previous
    } else {
      subscriptions[Int(ended.next)].previous = ended.previous
    }
    nodes[Int(ended.node)].priorities.add(-1, at: ended.priority)
    if ended.dependent != Self.none { nodes[Int(ended.dependent)].dependency = Self.none }
    release(subscription: place)
    if nodes[Int(ended.node)].first == Self.none {
      actions.append(.stop(nodes[Int(ended.node)].job!))
      remove(node: ended.node, &actions)
    } else {
      update(ended.node, &actions)
    }
  }

  private mutating func release(subscription place: Int32) {
    let generation = subscriptions[Int(place)].generation &+ 1
    subscriptions[Int(place)] = Subscription(generation: generation)
    freeSubscriptions.append(place)
    subscriptionCount -= 1
  }

  private mutating func remove(node place: Int32, _ actions: inout Actions) {
    var removed = Node(generation: nodes[Int(place)].generation &+ 1)
    swap(&removed, &nodes[Int(place)])
    freeNodes.append(place)
    jobCount -= 1
    if let key = removed.key, let found = index.index(forKey: key), index[found].value == place {
      index.remove(at: found)
    }
    if removed.dependency != Self.none { unsubscribe(removed.dependency, &actions) }
  }

  // MARK: Priorities

  /// Updates the priority of a job to the highest of its subscribers, and then of the job that it waits for.
  private mutating func update(_ node: Int32, _ actions: inout Actions) {
    let priority = nodes[Int(node)].priorities.highest
    guard priority != nodes[Int(node)].priority else { return }
    nodes[Int(node)].priority = priority
    actions.append(.prioritize(nodes[Int(node)].job!, priority))
    let dependency = nodes[Int(node)].dependency
    if dependency != Self.none { changePriority(of: dependency, to: priority, &actions) }
  }

  private mutating func changePriority(of place: Int32, to priority: Priority, _ actions: inout Actions) {
    let old = subscriptions[Int(place)].priority
    guard old != priority else { return }
    subscriptions[Int(place)].priority = priority
    let node = subscriptions[Int(place)].node
    nodes[Int(node)].priorities.add(-1, at: old)
    nodes[Int(node)].priorities.add(1, at: priority)
    update(node, &actions)
  }
}
