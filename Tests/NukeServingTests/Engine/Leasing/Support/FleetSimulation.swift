import Foundation
import Nuke
import NukeHTTPCaching
import NukeTesting

@testable import NukeServing

/// A fleet of nodes that share a store, in virtual time. The nodes decide by the values and tables of the real service:
/// ``LeaseStateMachine``, `LeaseWaiters`, ``SourceFailures`` and ``RenditionRecord``. The store, the sources and the
/// passing of time are simulated, so that a run takes milliseconds and always has the same result.
final class FleetSimulation {
  /// Durations in nanoseconds.
  struct Costs {
    var store: UInt64 = 1_000_000
    var load: UInt64 = 200_000_000
    var render: UInt64 = 100_000_000
    /// The time after which the lease of a dead node is free.
    var lease: UInt64 = 20_000_000_000
  }

  /// The response of the source of all images.
  enum Source { case shared, unshared, missing }

  final class Request {
    let node: Int
    let key: RenditionKey
    let start: UInt64
    fileprivate(set) var end: UInt64?
    /// Nanoseconds spent waiting for other nodes.
    fileprivate(set) var waited: UInt64 = 0
    /// Store operations of this request.
    fileprivate(set) var operations = 0
    fileprivate(set) var error: ServingError?
    fileprivate var machine: LeaseStateMachine
    fileprivate var isHolder = false

    fileprivate init(node: Int, key: RenditionKey, start: UInt64, waitLimit: Double) {
      self.node = node
      self.key = key
      self.start = start
      machine = LeaseStateMachine(waitLimit: waitLimit)
    }
  }

  /// What the store has for a request.
  private enum StoredEntry { case nothing, file, unshared, failure }

  private final class Node {
    var waiters = LeaseWaiters<String>(pauses: 10_000_000...250_000_000)
    var waiting: [UInt64: (request: Request, since: UInt64)] = [:]
    let failures = SourceFailures(missingSeconds: 10, failedSeconds: 3)
    /// The time from which on the node does nothing anymore.
    var death = UInt64.max
  }

  let costs: Costs
  let source: Source
  private let nodes: [Node]
  private(set) var requests: [Request] = []
  /// The starts of the loads of each image.
  private(set) var loads: [String: [UInt64]] = [:]
  private(set) var operations = 0
  private(set) var now: UInt64 = 0
  /// The latest first.
  private var events: [(time: UInt64, body: () -> Void)] = []
  /// The contents of the store, encoded as real nodes do it.
  private var records: [String: Data] = [:]
  private var leases: [String: (holder: Request, end: UInt64)] = [:]

  init(nodes count: Int = 100, source: Source, costs: Costs = Costs()) {
    self.costs = costs
    self.source = source
    nodes = (0..<count).map { _ in Node() }
  }

  var nodeCount: Int { nodes.count }
  var loadCount: Int { loads.values.reduce(0) { $0 + $1.count } }

  /// Sends a request for an image to a node.
  func request(_ image: Int = 0, node: Int, at time: UInt64) {
    let url = URL(string: "https://images.example/\(image).jpg")!
    after(time - now) { [self] in
      let key = RenditionKey(ServiceFixture.request(url))
      let request = Request(node: node, key: key, start: now, waitLimit: 60)
      requests.append(request)
      begin(request)
    }
  }

  /// Ends the first node that loads an image, at a time.
  func killHolder(at time: UInt64) {
    after(time - now) { [self] in
      for (holder, _) in leases.values { nodes[holder.node].death = now }
    }
  }

  /// Runs until nothing is to happen anymore.
  func run() {
    while let event = events.popLast() {
      now = event.time
      event.body()
    }
  }

  private func after(_ delay: UInt64, _ body: @escaping () -> Void) {
    let time = now + delay
    // Of events at the same time, the one that was added first comes first.
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].time > time { low = middle + 1 } else { high = middle }
    }
    events.insert((time, body), at: low)
  }

  /// Does something at the store, unless the node dies before.
  private func operate(_ request: Request, _ body: @escaping () -> Void) {
    operations += 1
    request.operations += 1
    after(costs.store) { [self] in
      if now < nodes[request.node].death { body() }
    }
  }

  private var timestamp: Timestamp { Timestamp(milliseconds: 1_700_000_000_000 + Int(now / 1_000_000)) }

  // MARK: A request

  private func begin(_ request: Request) {
    if let error = nodes[request.node].failures.error(of: request.key.name, after: nil, now: timestamp) {
      return finish(request, error)
    }
    operate(request) { [self] in use(storedEntry(request), request) }
  }

  private func perform(_ action: LeaseStateMachine.Action, _ request: Request) {
    switch action {
    case .acquire:
      operate(request) { [self] in
        let isFree = leases[request.key.name].map { $0.end <= now } ?? true
        if isFree {
          leases[request.key.name] = (request, now + costs.lease)
          request.isHolder = true
        }
        perform(request.machine.action(after: isFree ? .acquired : .held), request)
      }
    case .wait(let seconds): wait(request, seconds: seconds)
    case .lookUp:
      operate(request) { [self] in
        let entry = storedEntry(request)
        if entry == .nothing { return perform(request.machine.action(after: .foundNothing), request) }
        release(request)
        use(entry, request)
      }
    case .work: load(request)
    }
  }

  private func use(_ entry: StoredEntry, _ request: Request) {
    switch entry {
    case .file: finish(request)
    case .unshared: load(request)
    case .failure: fail(request)
    case .nothing: perform(request.machine.start, request)
    }
  }

  private func storedEntry(_ request: Request) -> StoredEntry {
    guard let record = record(of: request) else { return .nothing }
    if record.failure != nil, learn(record, request) != nil { return .failure }
    guard record.freshness.state(at: timestamp) == .fresh, !record.hasOnlyFailure else { return .nothing }
    return record.isShared ? .file : .unshared
  }

  private func record(of request: Request) -> RenditionRecord? {
    records[request.key.name].flatMap { RenditionRecord(encoded: $0, for: request.key) }
  }

  private func learn(_ record: RenditionRecord, _ request: Request) -> ServingError? {
    record.failure.flatMap { nodes[request.node].failures.learn($0, of: request.key.name, after: nil, now: timestamp) }
  }

  private func fail(_ request: Request) {
    finish(request, nodes[request.node].failures.error(of: request.key.name, after: nil, now: timestamp))
  }

  private func finish(_ request: Request, _ error: ServingError? = nil) {
    request.end = now
    request.error = error
  }

  // MARK: Waiting

  private func wait(_ request: Request, seconds: Double) {
    let node = nodes[request.node]
    let number = node.waiters.add(
      .init(lease: request.key.name, since: now, deadline: now + UInt64(seconds * 1e9)) { _ in })
    node.waiting[number] = (request, now)
    setTimer(request.node)
  }

  private func setTimer(_ index: Int) {
    if let delay = nodes[index].waiters.timerDelay(at: now) { after(delay) { [self] in poll(index) } }
  }

  /// Asks for the leases of all waiters whose time has come, as a `RedisLeases` does.
  private func poll(_ index: Int) {
    let node = nodes[index]
    let due = node.waiters.due(at: now)
    for (number, _) in due {
      operations += 1
      node.waiting[number]?.request.operations += 1
    }
    after(costs.store) { [self] in
      guard now < node.death else { return }
      let free = due.filter { leases[$0.lease].map { $0.end <= now } ?? true }.map(\.number)
      _ = node.waiters.remove(free)
      _ = node.waiters.putOff(due.map(\.number), at: now)
      for number in free { resume(number, of: node) }
      setTimer(index)
    }
  }

  private func resume(_ number: UInt64, of node: Node) {
    guard let (request, since) = node.waiting.removeValue(forKey: number) else { return }
    request.waited += now - since
    let seconds = Double(now - since) / 1e9
    perform(request.machine.action(after: .waited(isFree: true, seconds: seconds)), request)
  }

  // MARK: Work

  private func load(_ request: Request) {
    let node = nodes[request.node]
    loads[request.key.name, default: []].append(now)
    after(costs.load) { [self] in
      guard now < node.death else { return }
      switch source {
      case .shared:
        after(costs.render) { [self] in
          guard now < node.death else { return }
          finish(request)
          put(rendition(.shared, seconds: 3600), request)
        }
      case .unshared:
        put(rendition(.none, seconds: 60), request)
        after(costs.render) { [self] in finish(request) }
      case .missing:
        let name = request.key.name
        node.failures.note(.sourceNotFound("404"), of: name, after: nil, isOfSource: true, now: timestamp)
        fail(request)
        if let failure = node.failures.shared(of: name, after: nil, now: timestamp) { put(.failed(failure), request) }
      }
    }
  }

  private func rendition(_ cacheability: Rendition.Cacheability, seconds: Int) -> RenditionRecord {
    var freshness = RenditionFreshness(
      checkedAt: timestamp, freshUntil: Timestamp(milliseconds: timestamp.milliseconds + seconds * 1000))
    freshness.cacheability = cacheability
    return RenditionRecord(
      Rendition(data: Data("image".utf8), contentType: "image/webp", entityTag: "\"a\""), freshness: freshness,
      source: SourceVersion(count: 1, checksum: 1))
  }

  /// Stores a record, and then releases the lease.
  private func put(_ record: RenditionRecord, _ request: Request) {
    let encoded = record.encoded(for: request.key)
    operate(request) { [self] in
      records[request.key.name] = encoded
      release(request)
    }
  }

  private func release(_ request: Request) {
    guard request.isHolder else { return }
    request.isHolder = false
    operate(request) { [self] in
      if leases[request.key.name]?.holder === request { leases[request.key.name] = nil }
    }
  }
}

extension FleetSimulation {
  /// One row of the table.
  struct Row {
    var name: String
    var requests: Int
    var images: Int
    var loads: Int
    var waiters: Int
    /// Milliseconds.
    var waitMedian: Double
    var wait99: Double
    var operations: Int
    var mostOperations: Int

    static let head =
      "| source | requests | images | loads | waiters | wait p50 | wait p99 | store operations | a request | most |\n"
      + "|---|---|---|---|---|---|---|---|---|---|"

    var text: String {
      let each = String(format: "%.1f", Double(operations) / Double(max(1, requests)))
      return "| \(name) | \(requests) | \(images) | \(loads) | \(waiters) | \(Int(waitMedian)) ms | \(Int(wait99)) ms "
        + "| \(operations) | \(each) | \(mostOperations) |"
    }
  }

  func row(_ name: String) -> Row {
    let waits = requests.map { Double($0.waited) / 1e6 }.sorted()
    func quantile(_ part: Double) -> Double {
      waits.isEmpty ? 0 : waits[min(waits.count - 1, Int(part * Double(waits.count)))]
    }
    return Row(
      name: name, requests: requests.count, images: loads.count, loads: loadCount,
      waiters: waits.count(where: { $0 > 0 }), waitMedian: quantile(0.5), wait99: quantile(0.99),
      operations: operations, mostOperations: requests.map(\.operations).max() ?? 0)
  }
}
