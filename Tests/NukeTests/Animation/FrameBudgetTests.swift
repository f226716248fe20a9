import Nuke
import Testing

@Suite("The memory budget for frames")
struct FrameBudgetTests {
  private var budget = FrameBudget(limit: 1000)

  /// Frames of 10 bytes: with the canvases all of them take `frames * 10 + 20` bytes, a window 40.
  private mutating func enter(_ id: Int, frames: Int) -> Set<Int> {
    budget.enter(id, frameCount: frames, frameByteCount: 10, canvasByteCount: 10)
  }

  @Test("An animation gets room for all frames if they fit")
  mutating func fits() {
    #expect(enter(1, frames: 98) == [1])
    #expect(budget.keeping(1) == .all)
    #expect(budget.bookedByteCount == 1000)
  }

  @Test("An animation that does not fit gets a window")
  mutating func window() {
    #expect(enter(1, frames: 99) == [1])
    #expect(budget.keeping(1) == .window)
    #expect(budget.bookedByteCount == 40)
  }

  @Test("An animation without room for a window gets nothing, and takes nothing from others")
  mutating func nothing() {
    _ = enter(1, frames: 90)
    #expect(budget.enter(2, frameCount: 2, frameByteCount: 300, canvasByteCount: 300) == [])
    #expect(budget.keeping(2) == .nothing)
    #expect(budget.leastByteCount(2) == 1200)
    #expect(budget.keeping(1) == .all)
    #expect(budget.bookedByteCount == 920)
  }

  @Test("A new animation takes memory from the least recently used one")
  mutating func starts() {
    _ = enter(1, frames: 30)
    _ = enter(2, frames: 30)
    #expect(budget.use(1) == [])
    #expect(enter(3, frames: 50) == [2, 3])
    #expect(budget.keeping(1) == .all)
    #expect(budget.keeping(2) == .window)
    #expect(budget.keeping(3) == .all)
    #expect(budget.bookedByteCount == 320 + 40 + 520)
  }

  @Test("Memory is not moved between two running animations")
  mutating func noPingPong() {
    _ = enter(1, frames: 60)
    #expect(enter(2, frames: 60) == [1, 2])
    for _ in 0..<3 {
      #expect(budget.use(1) == [])
      #expect(budget.use(2) == [])
    }
    #expect(budget.keeping(1) == .window)
    #expect(budget.keeping(2) == .all)
  }

  @Test("Free memory goes to the most recently used animation")
  mutating func leaves() {
    _ = enter(1, frames: 60)
    _ = enter(2, frames: 60)
    _ = enter(3, frames: 60)
    #expect(budget.keeping(3) == .all)
    _ = budget.use(1)
    #expect(budget.leave(3) == [3, 1])
    #expect(budget.keeping(1) == .all)
    #expect(budget.keeping(2) == .window)
    #expect(budget.bookedByteCount == 620 + 40)
    _ = budget.leave(1)
    _ = budget.leave(2)
    #expect(budget.bookedByteCount == 0)
    #expect(budget.leave(2) == [])
  }

  @Test("An animation without room gets a window when it is used again and others can be reduced")
  mutating func retries() {
    var budget = FrameBudget(limit: 79)
    _ = budget.enter(1, frameCount: 3, frameByteCount: 10, canvasByteCount: 10)
    _ = budget.enter(2, frameCount: 3, frameByteCount: 10, canvasByteCount: 10)
    #expect(budget.keeping(2) == .nothing)
    #expect(budget.use(2) == [])
    #expect(budget.setLimit(90) == [2])
    #expect(budget.keeping(2) == .window)
    #expect(budget.keeping(1) == .all)
  }

  @Test("A lower limit reduces to windows and then to nothing, and a higher one restores")
  mutating func limits() {
    _ = enter(1, frames: 30)
    _ = enter(2, frames: 30)
    #expect(budget.setLimit(400) == [1])
    #expect(budget.setLimit(60) == [1, 2])
    #expect(budget.keeping(1) == .nothing)
    #expect(budget.keeping(2) == .window)
    #expect(budget.bookedByteCount == 40)
    #expect(budget.setLimit(-5) == [2])
    #expect(budget.limit == 0)
    #expect(budget.setLimit(1000) == [1, 2])
    #expect(budget.keeping(1) == .all)
    #expect(budget.keeping(2) == .all)
  }

  @Test("Memory pressure reduces all animations to windows")
  mutating func pressure() {
    _ = enter(1, frames: 30)
    _ = enter(2, frames: 30)
    #expect(budget.reduceAll() == [1, 2])
    #expect(budget.bookedByteCount == 80)
    #expect(budget.use(1) == [])
    #expect(budget.keeping(1) == .window)
  }

  @Test("Frames that are larger than announced are counted")
  mutating func resize() {
    _ = enter(1, frames: 30)
    _ = enter(2, frames: 30)
    #expect(budget.resize(2, frameByteCount: 10) == [])
    #expect(budget.resize(2, frameByteCount: 20) == [2])
    #expect(budget.keeping(2) == .all)
    #expect(budget.bookedByteCount == 320 + 620)
    _ = budget.resize(2, frameByteCount: 40)
    #expect(budget.keeping(2) == .window)
    #expect(budget.bookedByteCount == 320 + 100)
    _ = budget.resize(2, frameByteCount: 4000)
    #expect(budget.keeping(2) == .nothing)
    #expect(budget.bookedByteCount == 320)
  }

  @Test("The reserved memory never exceeds the limit, and is zero for removed animations")
  mutating func invariant() {
    var random: UInt64 = 7
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    for _ in 0..<5000 {
      let id = next(8)
      switch next(8) {
      case 0, 1:
        _ = budget.enter(
          id, frameCount: 1 + next(60), frameByteCount: 1 + next(20), canvasByteCount: 1 + next(20))
      case 2: _ = budget.leave(id)
      case 3: _ = budget.resize(id, frameByteCount: next(60))
      case 4: _ = budget.setLimit(next(1500))
      case 5: if next(10) == 0 { _ = budget.reduceAll() }
      default: _ = budget.use(id)
      }
      #expect(budget.bookedByteCount <= budget.limit)
      #expect(budget.bookedByteCount >= 0)
    }
    for id in 0..<8 { _ = budget.leave(id) }
    #expect(budget.bookedByteCount == 0)
  }
}
