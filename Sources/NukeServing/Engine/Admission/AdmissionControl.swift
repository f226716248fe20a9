/// Decides which requests are rendered now, which wait, and which are rejected. A value type; the time is a parameter.
///
/// An admitted request first loads its source. It then requests a share of the decode budget, and returns that share
/// when the file is rendered. Requests wait in order of arrival. If the first request does not fit into the budget,
/// later requests that fit may pass it a limited number of times. A request that is rendered for long gives way: a waiting
/// one is rendered beside it.
package struct AdmissionControl: Sendable {
  package struct Limits: Equatable, Sendable {
    /// The maximum number of bytes of decoded images at one time.
    package var bytes: Int
    /// The maximum number of images rendered at one time.
    package var running: Int
    /// The maximum number of requests that wait for the decode budget.
    package var waiting: Int
    /// The maximum number of requests that load their sources.
    package var loading: Int
    /// The maximum number of source bytes held by waiting and running requests. Above it, new requests are rejected,
    /// and so are loaded sources of requests that cannot run at once.
    package var sourceBytes: Int
    /// The maximum predicted wait, in seconds.
    package var seconds: Double
    /// The time after which a running request gives way to a waiting one, in seconds. As many requests as ``running`` may
    /// have given way.
    package var turn = 1.0
  }

  package typealias Ticket = Int

  private enum Phase {
    case loading
    case waiting
    /// Running since an uptime, in nanoseconds.
    case running(Int)
  }

  private struct Entry {
    var phase = Phase.loading
    /// The bytes of decoded images that the request needs.
    var bytes = 0
    /// The size of the loaded source in bytes; `nil` until it is loaded.
    var sourceBytes: Int?
    /// The number of times that others have passed it.
    var passed = 0
    /// `true` if it runs, and does not count as running because it has done so for long.
    var hasGivenWay = false
  }

  package let limits: Limits
  private var entries: [Ticket: Entry] = [:]
  private var queue: [Ticket] = []
  private var lastTicket = 0
  package private(set) var usedBytes = 0
  package private(set) var sourceBytes = 0
  /// The number of requests that hold their sources.
  private var holding = 0
  package private(set) var running = 0
  /// The number of running requests that do not count in ``running``.
  package private(set) var givingWay = 0
  package var waiting: Int { queue.count }
  package private(set) var loading = 0

  /// The average rendering time in nanoseconds, and the average size in bytes; `nil` before the first rendering.
  private var service: MovingAverage?
  private var size: MovingAverage?

  /// The number of times that a waiting request may be passed.
  private static let passingLimit = 16
  /// The maximum of `Retry-After`, in seconds.
  private static let retryLimit = 60.0

  package init(_ limits: Limits) {
    var limits = limits
    limits.running = max(1, limits.running)
    self.limits = limits
  }

  // MARK: Admitting and releasing requests

  /// - Throws: ``ServingError/overloaded(retryAfter:)``.
  package mutating func admit() throws(ServingError) -> Ticket {
    guard loading < limits.loading, waiting < limits.waiting, sourceBytes <= limits.sourceBytes,
      predictedWait <= limits.seconds
    else { throw .overloaded(retryAfter: retryAfter) }
    lastTicket += 1
    entries[lastTicket] = Entry()
    loading += 1
    return lastTicket
  }

  /// Accounts for the loaded source of a request. May be called once for each ticket.
  ///
  /// Many requests may be admitted while no source is loaded yet, so the limit is checked here again. The requests
  /// together hold at most the limit plus one source, or one source for each running slot.
  ///
  /// - Throws: ``ServingError/overloaded(retryAfter:)``.
  package mutating func hold(sourceBytes count: Int, _ ticket: Ticket) throws(ServingError) {
    guard let entry = entries[ticket], entry.sourceBytes == nil else {
      preconditionFailure("the source of a request is counted once, between its admission and its release")
    }
    guard sourceBytes <= limits.sourceBytes || holding < limits.running else {
      throw .overloaded(retryAfter: retryAfter)
    }
    entries[ticket]?.sourceBytes = count
    sourceBytes += count
    holding += 1
  }

  /// Requests a share of the decode budget.
  ///
  /// - Returns: `true` if the request runs now; `false` if it waits until ``release(_:now:)`` returns its ticket.
  /// - Throws: ``ServingError/overloaded(retryAfter:)`` if the queue is full; ``ServingError/tooLarge(_:)`` if `bytes`
  ///   exceeds the whole budget.
  package mutating func requestBudget(_ ticket: Ticket, bytes: Int, now: Int) throws(ServingError) -> Bool {
    guard case .loading? = entries[ticket]?.phase else {
      preconditionFailure("a request requests its share once, while it loads")
    }
    guard bytes <= limits.bytes else {
      throw .tooLarge("Decoding needs \(bytes) bytes, more than the budget of \(limits.bytes) bytes.")
    }
    if waiting == 0, canRun(bytes) {
      entries[ticket]?.bytes = max(0, bytes)
      loading -= 1
      run(ticket, now: now)
      return true
    }
    guard waiting < limits.waiting else { throw .overloaded(retryAfter: retryAfter) }
    entries[ticket]?.bytes = max(0, bytes)
    entries[ticket]?.phase = .waiting
    loading -= 1
    queue.append(ticket)
    // The new request may pass those that wait before it.
    return runWaiting(now: now).contains(ticket)
  }

  /// Removes a request in any phase. Does nothing if it has already been removed.
  ///
  /// - Returns: the waiting requests that run now.
  package mutating func release(_ ticket: Ticket, now: Int) -> [Ticket] {
    guard let entry = entries.removeValue(forKey: ticket) else { return [] }
    if let count = entry.sourceBytes {
      sourceBytes -= count
      holding -= 1
    }
    switch entry.phase {
    case .loading: loading -= 1
    case .waiting: queue.removeAll { $0 == ticket }
    case .running(let since):
      if entry.hasGivenWay { givingWay -= 1 } else { running -= 1 }
      usedBytes -= entry.bytes
      service.note(Double(now - since))
      size.note(Double(entry.bytes))
    }
    return runWaiting(now: now)
  }

  // MARK: Giving way

  private var turn: Int { ServiceClock.nanoseconds(limits.turn) }

  /// The uptime from which ``giveWay(now:)`` has an effect, if nothing changes until then; `nil` if no request waits for
  /// another one to end.
  package var nextTurn: Int? {
    guard !queue.isEmpty, running >= limits.running, givingWay < limits.running else { return nil }
    return longestRunning.map { $0.since + turn }
  }

  private var longestRunning: (ticket: Ticket, since: Int)? {
    entries.compactMap { ticket, entry in
      guard case .running(let since) = entry.phase, !entry.hasGivenWay else { return nil }
      return (ticket, since)
    }.min { ($0.since, $0.ticket) < ($1.since, $1.ticket) }
  }

  /// Lets waiting requests run beside those that have been running for long.
  ///
  /// - Returns: the waiting requests that run now.
  package mutating func giveWay(now: Int) -> [Ticket] {
    var started: [Ticket] = []
    while let nextTurn, nextTurn <= now, let longest = longestRunning?.ticket {
      entries[longest]?.hasGivenWay = true
      running -= 1
      givingWay += 1
      started += runWaiting(now: now)
    }
    return started
  }

  // MARK: The queue

  private func canRun(_ bytes: Int) -> Bool { running < limits.running && bytes <= limits.bytes - usedBytes }

  private mutating func run(_ ticket: Ticket, now: Int) {
    entries[ticket]?.phase = .running(now)
    usedBytes += entries[ticket]?.bytes ?? 0
    running += 1
  }

  private mutating func runWaiting(now: Int) -> [Ticket] {
    var started: [Ticket] = []
    while let index = nextIndex {
      if index > 0 { entries[queue[0]]?.passed += 1 }
      let ticket = queue.remove(at: index)
      run(ticket, now: now)
      started.append(ticket)
    }
    return started
  }

  /// The first in the queue, or one that passes it.
  private var nextIndex: Int? {
    guard running < limits.running, let first = queue.first, let entry = entries[first] else { return nil }
    if canRun(entry.bytes) { return 0 }
    guard entry.passed < Self.passingLimit else { return nil }
    return queue.firstIndex { canRun(entries[$0]?.bytes ?? 0) }
  }

  // MARK: Predictions

  /// The predicted wait of a new request, in seconds.
  package var predictedWait: Double {
    let ahead = waiting + running + givingWay
    return ahead < parallelism ? 0 : secondsEach * Double(ahead - parallelism + 1)
  }

  /// The predicted time until all present requests are served, in whole seconds.
  private var retryAfter: Int {
    Int(max(1, min(Self.retryLimit, secondsEach * Double(waiting + running + givingWay + loading)).rounded(.up)))
  }

  /// The expected time between two finished renderings under load, in seconds.
  private var secondsEach: Double { (service?.value ?? 0) / 1e9 / Double(parallelism) }

  /// The number of images rendered at a time: fewer than allowed if images are large.
  private var parallelism: Int {
    guard let size, size.value >= 1 else { return limits.running }
    return max(1, min(limits.running, Int(min(Double(limits.bytes) / size.value, 1e6))))
  }
}

/// A moving average that weights recent values most.
private struct MovingAverage: Sendable {
  var value: Double
  static let weight = 0.125
}

extension MovingAverage? {
  fileprivate mutating func note(_ new: Double) {
    if let value = self?.value {
      self?.value = value + (new - value) * MovingAverage.weight
    } else {
      self = MovingAverage(value: new)
    }
  }
}
