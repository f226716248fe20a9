import Nuke
import NukeTesting
import Testing

@Suite("Reads of a disk that may not respond", .timeLimit(.minutes(1)))
struct DiskReadsTests {
  private let time = ManualTime()
  private let log = CallLog()
  private let reads: DiskReads

  init() { reads = DiskReads(timer: time.timer) }

  /// Starts a read that waits for a gate, and logs its result.
  private func start(_ name: String, _ gate: Gate) {
    let log = log
    reads.run {
      gate.waitBlocking()
      return name
    } completion: {
      log.append($0 ?? "\(name) given up")
    }
  }

  @Test("A read that takes longer than two periods is given up, and its result is dropped")
  func late() async {
    let (slow, others) = (Gate(), Gate())
    start("slow", slow)
    await slow.arrivals(count: 1)
    time.pass(milliseconds: 2000)
    #expect(log.entries.isEmpty)
    time.pass(milliseconds: 2000)
    #expect(log.entries == ["slow given up"])
    // Three threads are left.
    #expect(!reads.isStuck)
    slow.open()
    // All threads are needed for these, so the slow read has returned when the last of them starts.
    for number in 0..<4 { start("\(number)", others) }
    await others.arrivals(count: 4)
    #expect(log.entries == ["slow given up"])
    others.open()
    #expect(await Set(log.entries(count: 5).dropFirst()) == ["0", "1", "2", "3"])
  }

  @Test("A read that returns in time has its result, and no timer is left")
  func inTime() async {
    let gate = Gate()
    start("a", gate)
    await gate.arrivals(count: 1)
    time.pass(milliseconds: 2000)
    gate.open()
    #expect(await log.entries(count: 1) == ["a"])
    time.pass(milliseconds: 100_000)
    #expect(log.entries == ["a"])
    #expect(time.log.entries == ["2000.0", "2000.0"])
  }

  @Test("While other reads end, a read that waits for a thread is not given up")
  func busy() async {
    let gates = (0..<6).map { _ in Gate() }
    for number in 0..<4 {
      start("\(number)", gates[number])
      await gates[number].arrivals(count: 1)
    }
    for number in 4..<6 { start("\(number)", gates[number]) }
    time.pass(milliseconds: 2000)
    gates[0].open()
    await gates[4].arrivals(count: 1)
    time.pass(milliseconds: 2000)
    #expect(log.entries == ["0", "1 given up", "2 given up", "3 given up"])
    #expect(!reads.isStuck)
    gates[5].open()
    gates[1].open()
    #expect(await log.entries(count: 5).last == "5")
    for gate in gates { gate.open() }
    #expect(await log.entries(count: 6).last == "4")
  }

  @Test("While the program receives results on all threads, a read that waits for a thread is not given up")
  func delivering() async {
    let delivery = Gate()
    for number in 0..<4 {
      let log = log
      reads.run {
        "\(number)"
      } completion: {
        delivery.waitBlocking()
        log.append($0 ?? "\(number) given up")
      }
    }
    await delivery.arrivals(count: 4)
    start("waiting", Gate(isOpen: true))
    time.pass(milliseconds: 4000)
    #expect(log.entries.isEmpty)
    #expect(!reads.isStuck)
    delivery.open()
    #expect(await Set(log.entries(count: 5)) == ["0", "1", "2", "3", "waiting"])
  }

  @Test("While all threads are blocked, reads are given up at once, until one of the threads is free")
  func stuck() async throws {
    let (blocked, open) = (Gate(), Gate(isOpen: true))
    for number in 0..<4 { start("\(number)", blocked) }
    await blocked.arrivals(count: 4)
    start("waiting", open)
    time.pass(milliseconds: 4000)
    #expect(log.entries == ["0 given up", "1 given up", "2 given up", "3 given up", "waiting given up"])
    #expect(reads.isStuck)
    start("next", open)
    #expect(log.entries.count == 5)
    time.pass(milliseconds: 0)
    #expect(log.entries.last == "next given up")
    blocked.open()
    try await waitUntil { !reads.isStuck }
    start("after", open)
    #expect(await log.entries(count: 7).last == "after")
    #expect(open.arrivalCount == 1, "the reads that were given up are not made")
  }
}
