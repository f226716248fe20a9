import Nuke
import Testing

@Suite("The sleep time of the curl thread")
struct CurlAlarmTests {
  private let start: UInt64 = 1_000_000_000

  @Test("It sleeps until the next time limit, rounded up, and at most a minute")
  func deadlines() {
    var alarm = CurlAlarm()
    #expect(alarm.milliseconds(now: start, hasPlaces: false, mayHideBytes: false) == 60_000)
    alarm.expect(start + 5_500_000)
    alarm.expect(start + 9_000_000)
    #expect(alarm.milliseconds(now: start, hasPlaces: false, mayHideBytes: false) == 6)
    #expect(alarm.milliseconds(now: start + 5_500_000, hasPlaces: false, mayHideBytes: false) == 0)
    alarm.forgetDeadlines()
    #expect(alarm.milliseconds(now: start, hasPlaces: false, mayHideBytes: true) == 101)
  }

  @Test("It sleeps until slots may be filled, and not at all after that")
  func places() {
    var alarm = CurlAlarm()
    alarm.expect(.max - 1)
    #expect(alarm.milliseconds(now: start, hasPlaces: true, mayHideBytes: false) == 0)
    alarm.holdPlaces(now: start)
    #expect(!alarm.mayFill(now: start + CurlAlarm.hold - 1))
    #expect(alarm.milliseconds(now: start, hasPlaces: true, mayHideBytes: false) == 3)
    #expect(alarm.milliseconds(now: start + CurlAlarm.hold, hasPlaces: true, mayHideBytes: false) == 0)
    #expect(alarm.mayFill(now: start + CurlAlarm.hold))
  }

  @Test("The delay for filling slots ends once")
  func endOfHold() {
    var alarm = CurlAlarm()
    let isOverUnheld = alarm.endsHold(now: start)
    #expect(!isOverUnheld)
    alarm.holdPlaces(now: start)
    let moments = [CurlAlarm.hold - 1, CurlAlarm.hold, CurlAlarm.hold]
    var isOver: [Bool] = []
    for moment in moments { isOver.append(alarm.endsHold(now: start + moment)) }
    #expect(isOver == [false, true, false])
  }

  @Test("Repeated cancellations do not extend the delay forever")
  func endlessCancellations() {
    var alarm = CurlAlarm()
    var now = start
    while now < start + CurlAlarm.longestHold {
      alarm.holdPlaces(now: now)
      #expect(!alarm.mayFill(now: now))
      now += CurlAlarm.hold / 2
    }
    #expect(alarm.mayFill(now: now))
    alarm.holdPlaces(now: now)
    #expect(!alarm.mayFill(now: now + CurlAlarm.hold - 1))
  }
}
