import NukeTesting
import Testing

@testable import NukeServing

@Suite("Admission control")
struct AdmissionControlTests {
  private static func limits(
    bytes: Int = 1000, running: Int = 2, waiting: Int = 3, loading: Int = 100, seconds: Double = 1e6
  ) -> AdmissionControl.Limits {
    AdmissionControl.Limits(
      bytes: bytes, running: running, waiting: waiting, loading: loading, sourceBytes: 5000, seconds: seconds)
  }

  private func ticket(_ control: inout AdmissionControl) throws -> Int {
    try control.admit()
  }

  /// The error that `body` throws.
  private func refusal(_ body: () throws(ServingError) -> Void) -> ServingError? {
    do throws(ServingError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("As many requests run as allowed, and others follow in order as they leave")
  func turns() throws {
    var control = AdmissionControl(Self.limits())
    let tickets = try (0..<4).map { _ in try ticket(&control) }
    #expect(try tickets.map { try control.requestBudget($0, bytes: 10, now: 0) } == [true, true, false, false])
    #expect(control.release(tickets[1], now: 1) == [tickets[2]])
    #expect(control.release(tickets[0], now: 1) == [tickets[3]])
  }

  @Test("A request that exceeds the whole budget is rejected, and uses none of it")
  func tooLarge() throws {
    var control = AdmissionControl(Self.limits())
    let ticket = try ticket(&control)
    let error = refusal { () throws(ServingError) in _ = try control.requestBudget(ticket, bytes: 1001, now: 0) }
    #expect(error?.name == "tooLarge")
    #expect(control.release(ticket, now: 0).isEmpty)
    #expect(control.usedBytes == 0)
    #expect(control.loading == 0)
  }

  @Test("Requests are rejected if too many wait, load, or hold their sources")
  func refusals() throws {
    var control = AdmissionControl(Self.limits(running: 1, waiting: 1))
    let tickets = try (0..<3).map { _ in try ticket(&control) }
    #expect(try control.requestBudget(tickets[0], bytes: 1, now: 0) == true)
    #expect(try control.requestBudget(tickets[1], bytes: 1, now: 0) == false)
    #expect(throws: ServingError.overloaded(retryAfter: 1)) { try control.requestBudget(tickets[2], bytes: 1, now: 0) }
    #expect(throws: ServingError.overloaded(retryAfter: 1)) { try control.admit() }

    var loading = AdmissionControl(Self.limits(loading: 1))
    let loader = try ticket(&loading)
    #expect(throws: ServingError.overloaded(retryAfter: 1)) { try loading.admit() }
    #expect(loading.release(loader, now: 0).isEmpty)
    let holder = try ticket(&loading)
    try loading.hold(sourceBytes: 5001, holder)
    #expect(try loading.requestBudget(holder, bytes: 1, now: 0) == true)
    #expect(throws: ServingError.overloaded(retryAfter: 1)) { try loading.admit() }
    _ = loading.release(holder, now: 0)
    _ = try ticket(&loading)
  }

  @Test("Of a burst that arrived before any source was held, only a limited number may hold their sources")
  func burst() throws {
    var control = AdmissionControl(Self.limits(running: 1, waiting: 100))
    let tickets = try (0..<8).map { _ in try ticket(&control) }
    let refusals = tickets.map { ticket in
      refusal { () throws(ServingError) in try control.hold(sourceBytes: 2000, ticket) }
    }
    #expect(refusals.prefix(3).allSatisfy { $0 == nil })
    #expect(refusals.dropFirst(3).allSatisfy { $0 == .overloaded(retryAfter: 1) })
    #expect(control.sourceBytes == 6000)
    for ticket in tickets { _ = control.release(ticket, now: 0) }
    #expect(control.sourceBytes == 0)
    let next = try ticket(&control)
    try control.hold(sourceBytes: 2000, next)
  }

  @Test("As many requests run as allowed, however large their sources are")
  func largeSources() throws {
    var control = AdmissionControl(Self.limits(running: 2, waiting: 100))
    let tickets = try (0..<3).map { _ in try ticket(&control) }
    try control.hold(sourceBytes: 9000, tickets[0])
    try control.hold(sourceBytes: 9000, tickets[1])
    #expect(throws: ServingError.overloaded(retryAfter: 1)) { try control.hold(sourceBytes: 1, tickets[2]) }
    _ = control.release(tickets[0], now: 0)
    _ = control.release(tickets[2], now: 0)
    #expect(control.sourceBytes == 9000)
  }

  @Test("Requests whose expected wait exceeds the limit are rejected, based on recent durations")
  func predictedWait() throws {
    var control = AdmissionControl(Self.limits(running: 2, waiting: 100, seconds: 3))
    let first = try ticket(&control)
    #expect(try control.requestBudget(first, bytes: 10, now: 0) == true)
    _ = control.release(first, now: 2_000_000_000)
    #expect(control.predictedWait == 0)
    // Two seconds each, two at a time: the third waits one, the fifth three.
    for wait in [0.0, 0, 1, 2, 3] {
      #expect(control.predictedWait == wait)
      _ = try control.requestBudget(ticket(&control), bytes: 10, now: 2_000_000_000)
    }
    #expect(control.predictedWait == 4)
    #expect(throws: ServingError.overloaded(retryAfter: 5)) { try control.admit() }
  }

  @Test("The expected wait accounts for large images, of which fewer run at a time")
  func largeImages() throws {
    var control = AdmissionControl(Self.limits(running: 4, waiting: 100))
    let first = try ticket(&control)
    _ = try control.requestBudget(first, bytes: 900, now: 0)
    _ = control.release(first, now: 1_000_000_000)
    _ = try control.requestBudget(ticket(&control), bytes: 900, now: 0)
    #expect(control.predictedWait == 1)
  }

  @Test("Requests that fit pass one that does not, up to a limit")
  func passing() throws {
    var control = AdmissionControl(Self.limits(running: 10, waiting: 100))
    let holder = try ticket(&control)
    #expect(try control.requestBudget(holder, bytes: 600, now: 0) == true)
    let large = try ticket(&control)
    #expect(try control.requestBudget(large, bytes: 500, now: 0) == false)
    var passed = 0
    while true {
      let small = try ticket(&control)
      guard try control.requestBudget(small, bytes: 10, now: 0) else { break }
      passed += 1
      #expect(control.release(small, now: 0).isEmpty)
    }
    #expect(passed == 16)
    #expect(control.release(holder, now: 0).first == large)
  }

  @Test("A waiter that cancels lets the next ones in")
  func givingUp() throws {
    var control = AdmissionControl(Self.limits(running: 10, waiting: 100))
    let holder = try ticket(&control)
    _ = try control.requestBudget(holder, bytes: 600, now: 0)
    let large = try ticket(&control)
    _ = try control.requestBudget(large, bytes: 900, now: 0)
    let next = try ticket(&control)
    #expect(try control.requestBudget(next, bytes: 800, now: 0) == false)
    #expect(control.release(large, now: 0).isEmpty)
    #expect(control.release(large, now: 0).isEmpty)
    #expect(control.release(holder, now: 0) == [next])
  }

  @Test(
    "The budget is never exceeded, and each request is admitted once, in any order of events", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = AdmissionControl.Limits(
      bytes: 10_000, running: 5, waiting: 40, loading: 60, sourceBytes: 10_000, seconds: 1e6)
    var control = AdmissionControl(limits)
    var loading: [Int] = []
    var waiting: [Int: Int] = [:]
    var running: [Int: Int] = [:]
    var order: [Int] = []
    var admitted = 0
    var refused = 0

    func admit(_ tickets: [Int]) {
      for ticket in tickets {
        guard let bytes = waiting.removeValue(forKey: ticket) else {
          Issue.record("\(ticket) was admitted and did not wait")
          continue
        }
        running[ticket] = bytes
        admitted += 1
        order.removeAll { $0 == ticket }
      }
    }

    for now in 0..<10_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        if let ticket = try? control.admit() { loading.append(ticket) }
      case 4...6:
        guard let ticket = loading.popLast() else { continue }
        let bytes = Int.random(in: 0...(Bool.random(using: &random) ? 1000 : 11_000), using: &random)
        guard (try? control.hold(sourceBytes: bytes / 10, ticket)) != nil else {
          refused += 1
          admit(control.release(ticket, now: now))
          continue
        }
        #expect(control.sourceBytes <= limits.sourceBytes + bytes / 10)
        switch try? control.requestBudget(ticket, bytes: bytes, now: now) {
        case true?:
          running[ticket] = bytes
          admitted += 1
        case false?:
          waiting[ticket] = bytes
          order.append(ticket)
        case nil: admit(control.release(ticket, now: now))
        }
      case 7:
        guard let ticket = order.randomElement(using: &random) else { continue }
        waiting[ticket] = nil
        order.removeAll { $0 == ticket }
        admit(control.release(ticket, now: now))
      default:
        guard let ticket = running.keys.sorted().randomElement(using: &random) else { continue }
        running[ticket] = nil
        admit(control.release(ticket, now: now))
      }
      #expect(control.usedBytes == running.values.reduce(0, +))
      #expect(control.usedBytes <= limits.bytes)
      #expect(control.running == running.count && control.running <= limits.running)
      #expect(control.waiting == waiting.count && control.waiting <= limits.waiting)
      #expect(control.loading == loading.count && control.loading <= limits.loading)
      // Nobody who is next and fits is left waiting.
      if let next = order.first, control.running < limits.running {
        #expect(waiting[next, default: 0] + control.usedBytes > limits.bytes)
      }
    }
    while let ticket = running.keys.first {
      running[ticket] = nil
      admit(control.release(ticket, now: 10_000))
    }
    for ticket in loading { #expect(control.release(ticket, now: 10_000).isEmpty) }
    #expect(waiting.isEmpty)
    #expect(admitted > 500)
    #expect(refused > 0)
    #expect(control.sourceBytes == 0)
    #expect(control.usedBytes == 0)
  }

  @Test("Two hostile requests delay fifty innocent ones by one turn, and then as long as if one at a time were ahead")
  func givingWay() throws {
    var control = AdmissionControl(Self.limits(running: 2, waiting: 50))
    let hostile = try (0..<2).map { _ in try ticket(&control) }
    for ticket in hostile { #expect(try control.requestBudget(ticket, bytes: 10, now: 0)) }
    #expect(control.nextTurn == nil, "nobody waits")
    let innocent = try (0..<50).map { _ in try ticket(&control) }
    for ticket in innocent { #expect(try !control.requestBudget(ticket, bytes: 10, now: 0)) }
    let turn = 1_000_000_000
    #expect(control.nextTurn == turn)
    #expect(control.giveWay(now: turn - 1) == [])
    var running = control.giveWay(now: turn)
    #expect(running == Array(innocent.prefix(2)))
    // Each innocent request takes one unit of time.
    let unit = 1_000_000
    var waits = [0, 0]
    for time in 1..<25 {
      let next = running.flatMap { control.release($0, now: turn + time * unit) }
      waits += next.map { _ in time }
      running = next
    }
    #expect(waits == (0..<50).map { $0 / 2 }, "in units of work, after the turn")
    #expect((control.running, control.givingWay) == (2, 2))
    for ticket in running + hostile { _ = control.release(ticket, now: 2 * turn) }
    #expect((control.running, control.givingWay, control.usedBytes) == (0, 0, 0))
  }

  @Test("No more requests give way than may run, and their bytes remain in use")
  func givingWayOnce() throws {
    var control = AdmissionControl(Self.limits(bytes: 100, running: 1))
    let tickets = try (0..<4).map { _ in try ticket(&control) }
    #expect(try tickets[..<3].map { try control.requestBudget($0, bytes: 40, now: 0) } == [true, false, false])
    #expect(control.giveWay(now: 5_000_000_000) == [tickets[1]])
    #expect(control.nextTurn == nil)
    #expect(control.giveWay(now: 50_000_000_000) == [])
    #expect(control.release(tickets[0], now: 50_000_000_000) == [])
    #expect(control.usedBytes == 40)
    #expect(control.giveWay(now: 50_000_000_000) == [tickets[2]])
  }
}
