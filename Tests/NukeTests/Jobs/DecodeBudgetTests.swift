import Nuke
import NukeTesting
import Testing

@Suite("The decode budget")
struct DecodeBudgetTests {
  private let budget = DecodeBudget(limit: 100)

  private final class Waiter: DecodeBudget.Waiter {
    let wantedBytes: Int
    private let admissions = Lock(0)
    private let priority: Lock<WorkPriority>

    private let admitted: @Sendable () -> Void

    init(
      _ bytes: Int, _ priority: WorkPriority = .normal, admitted: @escaping @Sendable () -> Void = {}
    ) {
      wantedBytes = bytes
      self.admitted = admitted
      self.priority = Lock(priority)
    }

    var currentPriority: WorkPriority {
      get { priority.withLock { $0 } }
      set { priority.withLock { $0 = newValue } }
    }

    var admissionCount: Int { admissions.withLock { $0 } }
    func hasRoom() {
      admissions.withLock { $0 += 1 }
      admitted()
    }
  }

  @Test("A job is admitted at once while there is room")
  func room() {
    #expect(budget.enter(Waiter(60)))
    #expect(budget.enter(Waiter(40)))
    #expect(budget.usedByteCount == 100)
    budget.leave(60)
    budget.leave(40)
    #expect(budget.usedByteCount == 0)
  }

  @Test("Others wait, and are admitted in order once there is room")
  func waiting() {
    let (first, second, third) = (Waiter(80), Waiter(50), Waiter(50))
    #expect(budget.enter(first))
    #expect(budget.enter(second) == false)
    #expect(budget.enter(third) == false)
    budget.leave(80)
    #expect(second.admissionCount == 1)
    #expect(third.admissionCount == 1)
    #expect(first.admissionCount == 0)
    #expect(budget.usedByteCount == 100)
  }

  @Test("No job passes another, so that large ones are admitted too")
  func fairness() {
    let (large, small) = (Waiter(90), Waiter(10))
    #expect(budget.enter(Waiter(50)))
    #expect(budget.enter(large) == false)
    #expect(budget.enter(small) == false, "there would be room, but the large one came before")
    budget.leave(50)
    #expect(large.admissionCount == 1)
    #expect(small.admissionCount == 1)
  }

  @Test("The highest priority is admitted first, and equal priorities in order")
  func priorities() {
    let log = CallLog()
    let names: [(String, WorkPriority)] = [
      ("low", .low), ("first", .normal), ("second", .normal), ("urgent", .veryHigh),
    ]
    #expect(budget.enter(Waiter(100)))
    let waiting = names.map { name, priority in Waiter(100, priority) { log.append(name) } }
    for waiter in waiting { #expect(budget.enter(waiter) == false) }
    for _ in names { budget.leave(100) }
    #expect(log.entries == ["urgent", "first", "second", "low"])
  }

  @Test("An urgent image is admitted before a large prefetched one that waits")
  func overtaking() {
    let giant = Waiter(90, .veryLow)
    #expect(budget.enter(Waiter(50)))
    #expect(budget.enter(giant) == false)
    #expect(budget.enter(Waiter(40, .veryHigh)))
    #expect(budget.enter(Waiter(10, .veryLow)) == false, "one of the same priority came before")
    budget.leave(50)
    #expect(giant.admissionCount == 0)
    budget.leave(40)
    #expect(giant.admissionCount == 1)
  }

  @Test("A changed priority of a waiting job applies")
  func reprioritizing() {
    let (large, small) = (Waiter(90), Waiter(30))
    #expect(budget.enter(Waiter(60)))
    #expect(budget.enter(large) == false)
    #expect(budget.enter(small) == false)
    small.currentPriority = .high
    budget.reprioritize(small)
    #expect(small.admissionCount == 1)
    budget.reprioritize(small)
    #expect(budget.usedByteCount == 90)
    #expect(large.admissionCount == 0)

    let next = Waiter(10)
    #expect(budget.enter(next) == false)
    large.currentPriority = .low
    budget.reprioritize(large)
    #expect(next.admissionCount == 1, "the large one goes behind it")
  }

  @Test("A job that exceeds the whole budget is admitted alone")
  func oversized() {
    let oversized = Waiter(1000)
    #expect(budget.enter(Waiter(1)))
    #expect(budget.enter(oversized) == false)
    budget.leave(1)
    #expect(oversized.admissionCount == 1)
    #expect(budget.usedByteCount == 1000)
    let next = Waiter(1)
    #expect(budget.enter(next) == false)
    budget.leave(1000)
    #expect(next.admissionCount == 1)
    budget.leave(1)
    #expect(budget.usedByteCount == 0)
  }

  @Test("A canceled job lets those behind it in")
  func withdrawal() {
    let (large, small) = (Waiter(90), Waiter(10))
    #expect(budget.enter(Waiter(50)))
    #expect(budget.enter(large) == false)
    #expect(budget.enter(small) == false)
    #expect(budget.withdraw(large))
    #expect(large.admissionCount == 0)
    #expect(small.admissionCount == 1)
    #expect(budget.withdraw(large) == false)
    #expect(budget.withdraw(small) == false, "it has its room")
    #expect(budget.usedByteCount == 60)
  }

  @Test("The totals are correct after random operations", arguments: [1, 2, 3] as [UInt64])
  func randomOperations(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let budget = DecodeBudget(limit: 1000)
    var waiting: [Waiter] = []
    var inside: [Waiter] = []
    for step in 0..<5000 {
      // Tests of time limits run beside this one, on few threads.
      if step % 50 == 0 { await Task.yield() }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let waiter = Waiter(Int.random(in: 1...(step % 50 == 0 ? 3000 : 400), using: &random))
        if budget.enter(waiter) { inside.append(waiter) } else { waiting.append(waiter) }
      case 5..<8:
        guard let place = inside.indices.randomElement(using: &random) else { continue }
        budget.leave(inside.remove(at: place).wantedBytes)
      default:
        guard let waiter = waiting.randomElement(using: &random) else { continue }
        #expect(budget.withdraw(waiter))
        waiting.removeAll { $0 === waiter }
      }
      let admitted = waiting.prefix { $0.admissionCount == 1 }
      inside += admitted
      waiting.removeFirst(admitted.count)
      let used = inside.reduce(0) { $0 + $1.wantedBytes }
      let isRight =
        budget.usedByteCount == used && (used <= 1000 || inside.count == 1)
        && waiting.allSatisfy { $0.admissionCount == 0 }
        && (waiting.first.map { used > 0 && used + $0.wantedBytes > 1000 } ?? true)
      #expect(isRight, "seed \(seed), step \(step)")
      if !isRight { return }
    }
    for waiter in waiting where !budget.withdraw(waiter) {
      // Let in meanwhile, since one before it was withdrawn.
      #expect(waiter.admissionCount == 1)
      inside.append(waiter)
    }
    for waiter in inside { budget.leave(waiter.wantedBytes) }
    #expect(budget.usedByteCount == 0)
  }
}
