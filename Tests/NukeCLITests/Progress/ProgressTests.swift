import Foundation
import Nuke
import NukeCLI
import Testing

@Suite struct ProgressStateTests {
  @Test("The total includes finished and running downloads")
  func fraction() {
    var state = ProgressState(count: 4, startedAt: 100)
    state.begin(0, name: "a", at: 100)
    state.begin(1, name: "b", at: 100)
    state.update(0, completed: 50, total: 100, at: 101)
    #expect(state.fraction == 0.125)
    state.end(0, failed: false, at: 102)
    state.end(1, failed: true, at: 102)
    #expect(state.fraction == 0.5)
    #expect(state.finishedCount == 2)
    #expect(state.failedCount == 1)
    #expect(state.bytes == 50)
    #expect(state.secondsLeft(at: 102) == 2)
  }

  @Test("The rate covers its window, and falls during a stall")
  func rate() throws {
    var meter = RateMeter(startedAt: 0)
    #expect(meter.rate(at: 1) == nil)
    meter.record(1000, at: 1)
    #expect(meter.rate(at: 1) == 1000)
    #expect(meter.rate(at: 2) == 500)
    for second in 2...10 { meter.record(1000 + Int64(second - 1) * 3000, at: TimeInterval(second)) }
    #expect(meter.rate(at: 10) == 3000)
    #expect(try #require(meter.rate(at: 12)) < 1100)
  }

  @Test("Loads without a bar are counted")
  func counted() {
    var state = ProgressState(count: 2, startedAt: 0)
    state.count(bytes: 100, failed: true, at: 1)
    #expect(state.fraction == 0.5)
    #expect(state.failedCount == 1)
    #expect(state.bytes == 100)
    #expect(state.rate(at: 1) == 100)
  }

  @Test("A local file has no progress, and counts its bytes at the end")
  func local() {
    var state = ProgressState(count: 2, startedAt: 0)
    state.begin(0, name: "a.jpg", at: 0)
    #expect(state.bytes == 0)
    state.end(0, failed: false, bytes: 3000, at: 1)
    #expect(state.bytes == 3000)
    #expect(state.rate(at: 1) == 3000)
    // The bytes of a download are not counted twice.
    state.begin(1, name: "b.jpg", at: 1)
    state.update(1, completed: 500, total: 500, at: 2)
    state.end(1, failed: false, bytes: 500, at: 2)
    #expect(state.bytes == 3500)
    #expect(state.rate(at: 2) == 1750)
  }

  @Test("A report of a finished download is ignored")
  func late() {
    var state = ProgressState(count: 1, startedAt: 0)
    state.begin(7, name: "a", at: 0)
    state.end(7, failed: false, at: 1)
    state.update(7, completed: 10, total: 10, at: 2)
    state.end(7, failed: true, at: 2)
    #expect(state.bytes == 0)
    #expect(state.finishedCount == 1)
    #expect(state.failedCount == 0)
  }
}

@Suite struct ProgressRendererTests {
  private var state: ProgressState {
    var state = ProgressState(count: 3, startedAt: 0)
    state.begin(0, name: "lake.jpg", at: 0)
    state.begin(1, name: "http://example.com/a/very/long/path/to/a/picture-of-a-lake.jpg", at: 0)
    state.update(0, completed: 161_000, total: 322_000, at: 1)
    state.update(1, completed: 1_500_000, total: 0, at: 1)
    return state
  }

  @Test("There is a bar for each download and the total, with bytes, rate and remaining time")
  func wide() {
    let lines = ProgressRenderer(width: 100).lines(state, at: 1)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("lake.jpg "))
    #expect(lines[0].contains("161 KB of 322 KB"))
    #expect(lines[0].contains("161 KB/s"))
    #expect(lines[0].contains("1s left"))
    #expect(lines[2].hasPrefix("0 of 3"))
    #expect(lines[2].contains("1.66 MB"))
  }

  @Test("No line is wider than the terminal", arguments: 1...130)
  func narrow(width: Int) {
    for line in ProgressRenderer(width: width).lines(state, at: 1) {
      #expect(line.cellWidth <= width)
      #expect(!line.isEmpty)
    }
  }

  @Test("A bar is filled according to the fraction")
  func bars() throws {
    for (completed, filled) in [(0, 0), (25, 7), (50, 15), (100, 30), (130, 30)] as [(Int64, Int)] {
      var state = ProgressState(count: 1, startedAt: 0)
      state.begin(0, name: "a", at: 0)
      state.update(0, completed: completed, total: 100, at: 1)
      let line = try #require(ProgressRenderer(width: 120).lines(state, at: 1).first)
      #expect(line.count { $0 == "=" || $0 == ">" } == filled)
      #expect(line.contains("["))
    }
  }

  @Test("No bytes are shown before there are any")
  func noBytes() {
    var state = ProgressState(count: 2, startedAt: 0)
    state.begin(0, name: "a.jpg", at: 0)
    #expect(ProgressRenderer(width: 100).lines(state, at: 1).allSatisfy { !$0.contains(" B") })
    state.end(0, failed: false, bytes: 3000, at: 1)
    #expect(ProgressRenderer(width: 100).lines(state, at: 1).first?.contains("3.00 KB") == true)
    state.begin(1, name: "b.jpg", at: 1)
    state.update(1, completed: 0, total: 500, at: 1)
    #expect(ProgressRenderer(width: 100).lines(state, at: 1).first?.contains("0 B of 500 B") == true)
  }

  @Test("Further downloads are counted in one line")
  func many() {
    var state = ProgressState(count: 20, startedAt: 0)
    for id in 0..<20 { state.begin(id, name: "\(id)", at: 0) }
    let lines = ProgressRenderer(width: 80).lines(state, at: 0)
    #expect(lines.count == 10)
    #expect(lines[8] == "and 12 more")
  }
}

@Suite struct ProgressDisplayTests {
  @Test("It draws at most once per interval, and erases the bars at the end")
  func throttled() {
    let now = Lock<TimeInterval>(0)
    let drawn = Lock<[[String]]>([])
    let display = ProgressDisplay(
      count: 1, interval: 0.1, width: { 80 }, now: { now.withLock { $0 } },
      draw: { lines in drawn.withLock { $0.append(lines) } })
    display.begin(0, name: "a")
    for step in 1...99 {
      now.withLock { $0 = Double(step) / 1000 }
      display.update(0, ImageTask.Progress(completed: Int64(step), total: 1000))
    }
    #expect(drawn.withLock { $0.count } == 1)
    now.withLock { $0 = 0.1 }
    display.tick()
    #expect(drawn.withLock { $0.count } == 2)
    #expect(drawn.withLock { $0.last?.first?.contains("99 B of 1.00 KB") } == true)
    display.finish()
    now.withLock { $0 = 5 }
    display.update(0, ImageTask.Progress(completed: 1000, total: 1000))
    #expect(drawn.withLock { $0.last } == [])
    #expect(drawn.withLock { $0.count } == 3)
  }
}
