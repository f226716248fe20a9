import Nuke
import NukeTesting
import Testing

@Suite("The plan of frames")
struct FramePlanTests {
  private typealias Plan = FramePlan<String>

  private struct Damage: Error {}

  private func frame(_ index: Int) -> Animation.Frame {
    Animation.Frame(index: index, image: SampleImage.bitmap(width: 1, height: 1), delay: 0.1)
  }

  private func plan(
    _ count: Int, _ keeping: FrameBudget.Keeping, isRepeated: Bool = true
  ) -> Plan {
    var plan = Plan(frameCount: count, isRepeated: isRepeated)
    _ = plan.keep(keeping, noRoom: .cancelled)
    return plan
  }

  /// Does all that the plan wants and says what that was.
  private func work(_ plan: inout Plan, damaged: Int? = nil) -> [String] {
    guard plan.schedules() else { return [] }
    var log: [String] = []
    while let step = plan.nextStep() {
      switch step {
      case .read(let index, let rewinds):
        log.append((rewinds ? "rewind, " : "") + "read \(index)")
        for reply in plan.finish(step, index == damaged ? .failed(Damage()) : .frame(frame(index))).replies {
          log.append("\(reply.waiter): \(text(reply.result))")
        }
      case .skip(let index, let rewinds):
        log.append((rewinds ? "rewind, " : "") + "skip \(index)")
        for reply in plan.finish(step, index == damaged ? .failed(Damage()) : .skipped).replies {
          log.append("\(reply.waiter): \(text(reply.result))")
        }
      case .release:
        log.append("release")
      }
    }
    return log
  }

  private func text(_ result: Result<Animation.Frame, AnimatedImage.Error>) -> String {
    switch result {
    case .success(let frame): "frame \(frame.index)"
    case .failure(let error): "\(error)"
    }
  }

  @Test("The current and the next frame are read, and nothing before a request")
  func demand() {
    var plan = plan(4, .window)
    #expect(work(&plan) == [])
    #expect(plan.show(0).frame == nil)
    #expect(work(&plan) == ["rewind, read 0", "read 1"])
    #expect(plan.show(0).frame?.index == 0)
    #expect(work(&plan) == [])
  }

  @Test("With a window, shown frames are released and read again in each loop")
  func window() {
    var plan = plan(3, .window)
    var log: [String] = []
    for pass in 0..<2 {
      for index in 0..<3 {
        let (frame, released) = plan.show(index)
        #expect((frame == nil) == (pass == 0 && index == 0))
        #expect(released.map(\.index) == (pass == 0 && index == 0 ? [] : [(index + 2) % 3]))
        log += work(&plan)
        #expect(plan.kept.count == 2)
      }
    }
    #expect(log == ["rewind, read 0", "read 1", "read 2", "rewind, read 0", "read 1", "read 2", "rewind, read 0"])
  }

  @Test("With room for all frames, each is read once, and then the reader is released")
  func all() {
    var plan = plan(3, .all)
    var log: [String] = []
    for _ in 0..<3 {
      for index in 0..<3 {
        _ = plan.show(index)
        log += work(&plan)
      }
    }
    #expect(log == ["rewind, read 0", "read 1", "read 2", "release"])
    #expect(plan.kept.count == 3)
  }

  @Test("Seeking forward skips frames, and seeking backward restarts the reader")
  func leap() {
    var plan = plan(9, .window)
    _ = plan.show(3)
    #expect(work(&plan) == ["rewind, skip 0", "skip 1", "skip 2", "read 3", "read 4"])
    _ = plan.show(1)
    #expect(work(&plan) == ["rewind, skip 0", "read 1", "read 2"])
  }

  @Test("A seek while frames are skipped is followed")
  func leapInBetween() {
    var plan = plan(9, .window)
    _ = plan.show(5)
    let scheduled = [plan.schedules(), plan.schedules()]
    #expect(scheduled == [true, false])
    let first = plan.nextStep()
    #expect(first == .skip(index: 0, rewinds: true))
    _ = plan.finish(first!, .skipped)
    _ = plan.show(1)
    let second = plan.nextStep()
    #expect(second == .read(index: 1, rewinds: false))
  }

  @Test("No frame after the last one is prepared if the animation plays once")
  func once() {
    var plan = plan(2, .window, isRepeated: false)
    _ = plan.show(1)
    #expect(work(&plan) == ["rewind, skip 0", "read 1"])
  }

  @Test("Waiters are served first, in order, and all waiters of a frame together")
  func waiters() {
    var plan = plan(5, .window)
    for (waiter, index) in [("a", 2), ("b", 0), ("c", 2)] {
      #expect(plan.wait(waiter, for: index, noRoom: .cancelled).reply == nil)
    }
    #expect(
      work(&plan) == [
        "rewind, skip 0", "skip 1", "read 2", "a: frame 2", "c: frame 2", "rewind, read 0", "b: frame 0",
        "skip 1", "skip 2", "read 3",
      ])
    #expect(plan.wait("d", for: 2, noRoom: .cancelled).reply.map { text($0.result) } == "frame 2")
  }

  @Test("Frames for a canceled waiter are not read")
  func cancelled() {
    var plan = plan(5, .window)
    _ = plan.wait("a", for: 3, noRoom: .cancelled)
    let isScheduled = plan.schedules()
    #expect(isScheduled)
    let first = plan.nextStep()!
    plan.cancel("a")
    _ = plan.finish(first, .skipped)
    let second = plan.nextStep()
    #expect(second == nil)
    #expect(work(&plan) == [])
  }

  @Test("If one of two waiters is canceled, reading continues for the other")
  func cancelledOne() {
    var plan = plan(5, .window)
    _ = plan.wait("a", for: 0, noRoom: .cancelled)
    _ = plan.wait("b", for: 0, noRoom: .cancelled)
    plan.cancel("a")
    #expect(work(&plan) == ["rewind, read 0", "b: frame 0", "read 1"])
  }

  @Test("A damaged frame is not retried, and those before it are played")
  func damage() throws {
    var plan = plan(5, .window)
    _ = plan.wait("a", for: 1, noRoom: .cancelled)
    _ = plan.wait("b", for: 4, noRoom: .cancelled)
    #expect(
      work(&plan, damaged: 2) == [
        "rewind, skip 0", "read 1", "a: frame 1", "skip 2", "b: frame 2: Damage()", "release",
      ])
    _ = plan.show(1)
    #expect(work(&plan, damaged: 2) == ["rewind, skip 0", "read 1", "rewind, read 0", "release"])
    #expect(plan.playableCount == 2)
    #expect(plan.failure?.index == 2)
    _ = plan.show(0)
    #expect(work(&plan, damaged: 2) == [])
    #expect(plan.show(2).frame == nil)
    let reply = plan.wait("c", for: 3, noRoom: .cancelled).reply
    guard case .failure(.frameFailed(index: 2, error: _))? = reply?.result else { throw Unexpected(reply) }
  }

  @Test("Reading ends if the reader ends early")
  func missing() throws {
    var plan = plan(3, .all)
    _ = plan.show(0)
    let isScheduled = plan.schedules()
    #expect(isScheduled)
    _ = plan.finish(plan.nextStep()!, .frame(frame(0)))
    _ = plan.finish(plan.nextStep()!, .missing)
    #expect(plan.playableCount == 1)
    guard case .noSuchFrame(index: 1, count: 1)? = plan.failure?.error else { throw Unexpected(plan.failure) }
  }

  @Test("If there is no room anymore, waiters fail and everything is released")
  func noRoom() {
    var plan = plan(3, .window)
    _ = plan.show(0)
    _ = work(&plan)
    _ = plan.wait("a", for: 2, noRoom: .cancelled)
    let (replies, released) = plan.keep(.nothing, noRoom: .noRoom(byteCount: 8, limit: 4))
    #expect(replies.map(\.waiter) == ["a"])
    #expect(replies.first.map { text($0.result) }?.contains("more than is available") == true)
    #expect(Set(released.map(\.index)).isSubset(of: [0, 1]) && plan.kept.isEmpty)
    #expect(work(&plan) == ["release"])
    #expect(plan.wait("b", for: 0, noRoom: .noRoom(byteCount: 8, limit: 4)).reply != nil)
  }

  @Test("Frames that do not exist are an error")
  func range() throws {
    var plan = plan(3, .all)
    for index in [-1, 3, .max] {
      #expect(plan.show(index).frame == nil)
      let reply = plan.wait("a", for: index, noRoom: .cancelled).reply
      guard case .failure(.noSuchFrame(index: index, count: 3))? = reply?.result else { throw Unexpected(reply) }
    }
    #expect(work(&plan) == [])
  }
}
