import Nuke
import Testing

@Suite("The sleep time of the curl thread")
struct CurlAlarmTests {
  private let start: UInt64 = 1_000_000_000

  @Test("It sleeps until the next time limit, rounded up, and at most a minute")
  func deadlines() {
    var alarm = CurlAlarm()
    #expect(alarm.milliseconds(now: start, hasFreeSlots: false, mayHideBytes: false) == 60_000)
    alarm.expect(start + 5_500_000)
    alarm.expect(start + 9_000_000)
    #expect(alarm.milliseconds(now: start, hasFreeSlots: false, mayHideBytes: false) == 6)
    #expect(alarm.milliseconds(now: start + 5_500_000, hasFreeSlots: false, mayHideBytes: false) == 0)
    alarm.forgetDeadlines()
    #expect(alarm.milliseconds(now: start, hasFreeSlots: false, mayHideBytes: true) == 101)
  }

  @Test("It sleeps until slots may be filled, and not at all after that")
  func places() {
    var alarm = CurlAlarm()
    alarm.expect(.max - 1)
    #expect(alarm.milliseconds(now: start, hasFreeSlots: true, mayHideBytes: false) == 0)
    alarm.deferFilling(now: start)
    #expect(!alarm.mayFill(now: start + CurlAlarm.delay - 1))
    #expect(alarm.milliseconds(now: start, hasFreeSlots: true, mayHideBytes: false) == 3)
    #expect(alarm.milliseconds(now: start + CurlAlarm.delay, hasFreeSlots: true, mayHideBytes: false) == 0)
    #expect(alarm.mayFill(now: start + CurlAlarm.delay))
  }

  @Test("The delay for filling slots ends once")
  func endOfHold() {
    var alarm = CurlAlarm()
    let isOverUnheld = alarm.endsDeferral(now: start)
    #expect(!isOverUnheld)
    alarm.deferFilling(now: start)
    let moments = [CurlAlarm.delay - 1, CurlAlarm.delay, CurlAlarm.delay]
    var isOver: [Bool] = []
    for moment in moments { isOver.append(alarm.endsDeferral(now: start + moment)) }
    #expect(isOver == [false, true, false])
  }

  @Test("Repeated cancellations do not extend the delay forever")
  func endlessCancellations() {
    var alarm = CurlAlarm()
    var now = start
    while now < start + CurlAlarm.maximumDelay {
      alarm.deferFilling(now: now)
      #expect(!alarm.mayFill(now: now))
      now += CurlAlarm.delay / 2
    }
    #expect(alarm.mayFill(now: now))
    alarm.deferFilling(now: now)
    #expect(!alarm.mayFill(now: now + CurlAlarm.delay - 1))
  }
}
