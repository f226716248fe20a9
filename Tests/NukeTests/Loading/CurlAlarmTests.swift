import Nuke
import Testing

@Suite("How long the thread of a data loader sleeps")
struct CurlAlarmTests {
  private let start: UInt64 = 1_000_000_000

  @Test("until the next time limit, rounded up, and no longer than a minute")
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

  @Test("until places may be filled, and not at all once they may")
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

  @Test("is over once, when the time has passed for which places were held")
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

  @Test("is not prolonged for ever by cancellations that follow one another")
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
