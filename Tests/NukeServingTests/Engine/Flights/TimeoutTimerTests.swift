import NukeTesting
import Testing

@testable import NukeServing

@Suite("The timer of timeouts", .timeLimit(.minutes(1)))
struct TimeoutTimerTests {
  @Test("Each action that is not stopped runs in order, and one task sleeps for all")
  func order() async {
    let clock = FakeClock()
    let timer = TimeoutTimer(seconds: 10, clock: clock.clock)
    let log = CallLog()
    var numbers: [Int] = []
    for name in ["a", "b", "c"] {
      numbers.append(timer.start { log.append(name) })
      clock.advance(seconds: 1)
    }
    timer.stop(numbers[1])
    timer.stop(numbers[1])
    await clock.sleepers(count: 1)
    clock.advance(seconds: 7)
    #expect(await log.entries(count: 1) == ["a"])
    await clock.sleepers(count: 1)
    clock.advance(seconds: 2)
    #expect(await log.entries(count: 2) == ["a", "c"])
    timer.stop(numbers[0])
    _ = timer.start { log.append("d") }
    await clock.sleepers(count: 1)
    clock.advance(seconds: 10)
    #expect(await log.entries(count: 3).last == "d")
  }
}
