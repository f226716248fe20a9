import NukeTesting
import Testing

@testable import NukeServing

@Suite("Alarms", .timeLimit(.minutes(1)))
struct AlarmTests {
  @Test("Each alarm that is not stopped fires in order, and one task sleeps for all")
  func order() async {
    let clock = FakeClock()
    let alarm = Alarm(seconds: 10, clock: clock.clock)
    let log = CallLog()
    var numbers: [Int] = []
    for name in ["a", "b", "c"] {
      numbers.append(alarm.start { log.append(name) })
      clock.advance(seconds: 1)
    }
    alarm.stop(numbers[1])
    alarm.stop(numbers[1])
    await clock.sleepers(count: 1)
    clock.advance(seconds: 7)
    #expect(await log.entries(count: 1) == ["a"])
    await clock.sleepers(count: 1)
    clock.advance(seconds: 2)
    #expect(await log.entries(count: 2) == ["a", "c"])
    alarm.stop(numbers[0])
    _ = alarm.start { log.append("d") }
    await clock.sleepers(count: 1)
    clock.advance(seconds: 10)
    #expect(await log.entries(count: 3).last == "d")
  }
}
