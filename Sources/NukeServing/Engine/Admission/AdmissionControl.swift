/// Decides which requests are rendered now, which wait, and which are rejected. It is a value; times are passed in.
///
/// A request that was admitted loads a source, then asks for a part of the decode budget, and returns it when the file
/// is rendered. Requests wait in order. If the first does not fit, others that do may pass it a limited number of
/// times.
package struct AdmissionControl: Sendable {
  package struct Limits: Equatable, Sendable {
    /// Bytes of decoded images at one time.
    package var bytes: Int
    /// Images made at one time.
    package var running: Int
    /// The number of requests that wait for room.
    package var waiting: Int
    /// The number of requests that load their sources.
    package var loading: Int
    /// Bytes of sources that are held by those who wait or run; past it nobody else arrives, and nobody else holds one
    /// who could not run at once.
    package var sourceBytes: Int
    /// Seconds that somebody may have to wait.
    package var seconds: Double
  }

  package typealias Ticket = Int

  private enum Phase {
    case loading
    case waiting
    /// Since a moment, in nanoseconds.
    case running(Int)
  }

  private struct Visitor {
    var phase = Phase.loading
    /// The bytes of decoded images.
    var bytes = 0
    /// `nil` until it holds its source.
    var sourceBytes: Int?
    /// The number of times that others have passed it.
    var passed = 0
  }

  package let limits: Limits
  private var visitors: [Ticket: Visitor] = [:]
  private var queue: [Ticket] = []
  private var lastTicket = 0
  package private(set) var usedBytes = 0
  package private(set) var sourceBytes = 0
  /// The number of requests that hold their sources.
  private var holding = 0
  package private(set) var running = 0
  package var waiting: Int { queue.count }
  package private(set) var loading = 0

  /// Nanoseconds that an image took lately, and its bytes; `nil` before the first.
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

  // MARK: Arriving and leaving

  /// - Throws: ``ServingError/overloaded(retryAfter:)``.
  package mutating func arrive() throws(ServingError) -> Ticket {
    guard loading < limits.loading, waiting < limits.waiting, sourceBytes <= limits.sourceBytes,
      predictedWait <= limits.seconds
    else { throw .overloaded(retryAfter: retryAfter) }
    lastTicket += 1
    visitors[lastTicket] = Visitor()
    loading += 1
    return lastTicket
  }

  /// Has a source that has come be held, once. Many may have arrived while there was nothing to hold, so that what
  /// others hold counts again here: all together hold no more than is allowed and one source, or one for each that may
  /// run.
  ///
  /// - Throws: ``ServingError/overloaded(retryAfter:)``.
  package mutating func hold(sourceBytes count: Int, _ ticket: Ticket) throws(ServingError) {
    guard let visitor = visitors[ticket], visitor.sourceBytes == nil else {
      preconditionFailure("once, by who is here")
    }
    guard sourceBytes <= limits.sourceBytes || holding < limits.running else {
      throw .overloaded(retryAfter: retryAfter)
    }
    visitors[ticket]?.sourceBytes = count
    sourceBytes += count
    holding += 1
  }

  /// Asks for a part of the decode budget.
  ///
  /// - Returns: `true` if the request is admitted; otherwise ``leave(_:now:)`` of another one admits it.
  /// - Throws: ``ServingError``: overloaded, or too large for the whole budget.
  package mutating func ask(_ ticket: Ticket, bytes: Int, now: Int) throws(ServingError) -> Bool {
    guard case .loading? = visitors[ticket]?.phase else { preconditionFailure("only who loads asks, and once") }
    guard bytes <= limits.bytes else {
      throw .tooLarge("Decoding needs \(bytes) bytes, more than the budget of \(limits.bytes) bytes.")
    }
    if waiting == 0, hasRoom(for: bytes) {
      visitors[ticket]?.bytes = max(0, bytes)
      loading -= 1
      admit(ticket, now: now)
      return true
    }
    guard waiting < limits.waiting else { throw .overloaded(retryAfter: retryAfter) }
    visitors[ticket]?.bytes = max(0, bytes)
    visitors[ticket]?.phase = .waiting
    loading -= 1
    queue.append(ticket)
    // It may pass those before it.
    return admitWaiting(now: now).contains(ticket)
  }

  /// Ends a visit, in whichever phase it is. One that has ended before changes nothing.
  ///
  /// - Returns: the requests that are admitted now.
  package mutating func leave(_ ticket: Ticket, now: Int) -> [Ticket] {
    guard let visitor = visitors.removeValue(forKey: ticket) else { return [] }
    if let count = visitor.sourceBytes {
      sourceBytes -= count
      holding -= 1
    }
    switch visitor.phase {
    case .loading: loading -= 1
    case .waiting: queue.removeAll { $0 == ticket }
    case .running(let since):
      running -= 1
      usedBytes -= visitor.bytes
      service.note(Double(now - since))
      size.note(Double(visitor.bytes))
    }
    return admitWaiting(now: now)
  }

  // MARK: The queue

  private func hasRoom(for bytes: Int) -> Bool { running < limits.running && bytes <= limits.bytes - usedBytes }

  private mutating func admit(_ ticket: Ticket, now: Int) {
    visitors[ticket]?.phase = .running(now)
    usedBytes += visitors[ticket]?.bytes ?? 0
    running += 1
  }

  private mutating func admitWaiting(now: Int) -> [Ticket] {
    var admitted: [Ticket] = []
    while let index = nextIndex {
      if index > 0 { visitors[queue[0]]?.passed += 1 }
      let ticket = queue.remove(at: index)
      admit(ticket, now: now)
      admitted.append(ticket)
    }
    return admitted
  }

  /// The first in the queue, or one that passes it.
  private var nextIndex: Int? {
    guard running < limits.running, let first = queue.first, let visitor = visitors[first] else { return nil }
    if hasRoom(for: visitor.bytes) { return 0 }
    guard visitor.passed < Self.passingLimit else { return nil }
    return queue.firstIndex { hasRoom(for: visitors[$0]?.bytes ?? 0) }
  }

  // MARK: Predictions

  /// The predicted wait of a new request, in seconds.
  package var predictedWait: Double {
    let ahead = waiting + running
    return ahead < parallelism ? 0 : secondsEach * Double(ahead - parallelism + 1)
  }

  /// The predicted time until all present requests are served, in whole seconds.
  private var retryAfter: Int {
    Int(max(1, min(Self.retryLimit, secondsEach * Double(waiting + running + loading)).rounded(.up)))
  }

  /// Seconds from one end to the next, while there is enough to do.
  private var secondsEach: Double { (service?.value ?? 0) / 1e9 / Double(parallelism) }

  /// The number of images rendered at a time: fewer than allowed if images are large.
  private var parallelism: Int {
    guard let size, size.value >= 1 else { return limits.running }
    return max(1, min(limits.running, Int(min(Double(limits.bytes) / size.value, 1e6))))
  }
}

/// An average in which what came lately counts most.
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
