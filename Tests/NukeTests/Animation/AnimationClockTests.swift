import Nuke
import Testing

@Suite("The animation clock")
struct AnimationClockTests {
  /// The frames shown at beats, where each is ready.
  private func play(_ clock: inout AnimationClock, _ beats: [Double], playable: Int) -> [Int?] {
    beats.map { now in
      if let due = clock.nextChange, now < due { return nil }
      guard let next = clock.next(playable: playable) else { return nil }
      clock.show(next, at: now)
      return next
    }
  }

  @Test("Each frame is shown for its delay")
  func delays() {
    var clock = AnimationClock(delays: [1, 2, 1], loopCount: 0)
    #expect(clock.nextChange == nil)
    #expect(play(&clock, [10, 10.5, 11, 12, 13, 14, 15], playable: 3) == [0, nil, 1, nil, 2, 0, 1])
  }

  @Test("Slightly late refreshes cause no drift")
  func drift() {
    var clock = AnimationClock(delays: [1, 1], loopCount: 0)
    _ = play(&clock, [0, 1.2], playable: 2)
    #expect(clock.nextChange == 2)
  }

  @Test("After a long delay, the schedule restarts instead of catching up")
  func late() {
    var clock = AnimationClock(delays: [1, 1], loopCount: 0)
    _ = play(&clock, [0, 7.5], playable: 2)
    #expect(clock.nextChange == 8.5)
  }

  @Test("Playback ends after the last frame of the last loop")
  func loops() {
    var clock = AnimationClock(delays: [1, 1], loopCount: 2)
    #expect(play(&clock, [0, 1, 2, 3, 4, 5], playable: 2) == [0, 1, 0, 1, nil, nil])
    #expect(clock.next(playable: 2) == nil)
    #expect(clock.shown == 1)
  }

  @Test("The frames before a damaged one are played, and a single one stays")
  func damage() {
    var clock = AnimationClock(delays: [1, 1, 1], loopCount: 0)
    #expect(play(&clock, [0, 1, 2, 3], playable: 2) == [0, 1, 0, 1])
    #expect(clock.next(playable: 1) == nil)
    #expect(AnimationClock(delays: [1], loopCount: 0).next(playable: 0) == nil)
  }
}
