import NukeBase
import Testing

@Suite("The threads that process large images", .timeLimit(.minutes(1)))
struct BandPoolTests {
  /// What threads that run at the same time note.
  private final class Log: Sendable {
    private let bands = Lock<[Int]>([])
    func note(_ band: Int) { bands.withLock { $0.append(band) } }
    var sorted: [Int] { bands.withLock { $0 }.sorted() }
  }

  @Test("Every strip is processed once, with or without helper threads", arguments: [0, 1, 3])
  func once(_ helpers: Int) {
    let pool = BandPool(helpers: helpers)
    for count in [0, 1, 2, 7, 100] {
      let log = Log()
      #expect(
        pool.run(count) { band in
          log.note(band)
          return true
        })
      #expect(log.sorted == Array(0..<count))
    }
    #expect(pool.threadCount <= helpers)
  }

  @Test("Two strips are processed at the same time")
  func concurrently() {
    let pool = BandPool(helpers: 1)
    let arrived = Lock(0)
    let signal = Signal()
    #expect(
      pool.run(2) { _ in
        arrived.withLock { $0 += 1 }
        signal.wakeOne()
        return arrived.withLock(waitingFor: signal, seconds: 10) { count, _ in count == 2 ? true : nil }
      })
  }

  @Test("The error of a strip is reported, and the other strips are processed")
  func failure() {
    let pool = BandPool(helpers: 1)
    let log = Log()
    #expect(
      !pool.run(5) { band in
        log.note(band)
        return band != 3
      })
    #expect(log.sorted == [0, 1, 2, 3, 4])
  }

  @Test("Many callers share a few threads")
  func manyCallers() async {
    let pool = BandPool(helpers: 2)
    let sums = await withTaskGroup(of: Int.self) { group in
      for caller in 0..<20 {
        group.addTask {
          let sum = Lock(0)
          for _ in 0..<20 {
            _ = pool.run(4) { band in
              sum.withLock { $0 += band + caller }
              return true
            }
          }
          return sum.withLock { $0 }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums.sorted() == (0..<20).map { 20 * (6 + 4 * $0) })
    #expect(pool.threadCount <= 2)
  }

  @Test("Small work is one strip, and large work has at most one strip per thread")
  func share() {
    #expect(BandPool(helpers: 3).bands(for: 0) == 1)
    #expect(BandPool(helpers: 3).bands(for: 10_000_000) == 1)
    #expect(BandPool(helpers: 3).bands(for: 60_000_000) == 2)
    #expect(BandPool(helpers: 3).bands(for: .max) == 4)
    #expect(BandPool(helpers: 0).bands(for: .max) == 1, "where there is one processor")
  }
}
