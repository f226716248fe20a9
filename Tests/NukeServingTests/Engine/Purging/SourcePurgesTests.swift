import Foundation
import NukeBase
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The purges of sources", .timeLimit(.minutes(1)))
struct SourcePurgesTests {
  private let source = ServiceFixture.source
  private let gate = Gate()
  private let learned = CallLog()

  /// The purges of a node whose store has one, and whose first look-up is held by the gate.
  private func purges() -> (SourcePurges, FakeDataCache) {
    let store = FakeDataCache([SourcePurges.name(of: source): PurgeID(1).encoded])
    let clock = FakeClock().clock
    let held = RenditionStore(
      FirstReadHeld(store, by: gate), timeLimit: 10, backlogLimit: 1 << 20, clock: clock,
      statistics: StatisticsRecorder(clock: clock, observer: nil))
    return (SourcePurges(held, flush: nil, interval: 10, clock: clock), store)
  }

  /// Returns a request for the last purge, which has begun to wait for it.
  private func request(_ purges: SourcePurges) -> Task<PurgeID?, Never> {
    Task.immediate { await purges.last(of: source) { learned.append("learned") } }
  }

  @Test("Requests for a source at the same time look in the store once")
  func coalescing() async {
    let (purges, store) = purges()
    let tasks = (0..<3).map { _ in request(purges) }
    await gate.arrivals(count: 1)
    gate.open()
    for task in tasks { #expect(await task.value == PurgeID(1)) }
    #expect(await request(purges).value == PurgeID(1))
    #expect(store.reads == [SourcePurges.name(of: source)])
    #expect(learned.entries == ["learned"])
  }

  @Test("A purge of this node during a look-up applies to all that wait for it")
  func purgeMeanwhile() async {
    let (purges, _) = purges()
    let tasks = (0..<2).map { _ in request(purges) }
    await gate.arrivals(count: 1)
    #expect(await purges.purge(source, PurgeID(2), timeLimit: 10))
    gate.open()
    for task in tasks { #expect(await task.value == PurgeID(2)) }
    #expect(learned.entries.isEmpty)
  }

  @Test("If the request that began a look-up is canceled, the others still receive its result")
  func cancellation() async {
    let (purges, store) = purges()
    let tasks = (0..<2).map { _ in request(purges) }
    await gate.arrivals(count: 1)
    tasks[0].cancel()
    #expect(await tasks[0].value == nil)
    gate.open()
    #expect(await tasks[1].value == PurgeID(1))
    #expect(store.reads.count == 1)
  }
}
