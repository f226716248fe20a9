import Foundation
import NukeBase
import Testing

@Suite("A lock", .timeLimit(.minutes(1)))
struct LockTests {
  private struct Refused: Error {}

  @Test("One thread at a time changes its value")
  func exclusion() {
    let lock = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1000 { lock.withLock { $0 += 1 } }
    }
    #expect(lock.withLock { $0 } == 8000)
  }

  @Test("It is unlocked after an error")
  func errors() {
    let lock = Lock(1)
    #expect(throws: Refused.self) {
      try lock.withLock { value throws(Refused) in
        value = 2
        throw Refused()
      }
    }
    #expect(lock.withLock { $0 } == 2)
  }

  @Test("It releases its value when it is deinitialized")
  func lifetime() {
    final class Content: Sendable {}
    weak var content: Content?
    do {
      let lock = Lock(Content())
      content = lock.withLock { $0 }
      #expect(content != nil)
    }
    #expect(content == nil)
  }

  @Test("A signal wakes a waiting thread")
  func signal() {
    final class Shared: Sendable {
      let lock = Lock(0)
      let signal = Signal()
    }
    let shared = Shared()
    let thread = Thread {
      shared.lock.withLock { $0 = 7 }
      shared.signal.wakeOne()
    }
    thread.start()
    let value = shared.lock.withLock(waitingFor: shared.signal, seconds: 30) { value, _ in value == 0 ? nil : value }
    #expect(value == 7)
  }

  @Test("A timeout is reported with the lock held")
  func timeout() {
    let lock = Lock(3)
    let isTimedOut = lock.withLock(waitingFor: Signal(), seconds: 0.001) { value, awakening -> Bool? in
      guard let awakening else { return nil }
      value += 1
      return awakening == .timedOut ? true : nil
    }
    #expect(isTimedOut)
    #expect(lock.withLock { $0 } >= 4)
  }
}
