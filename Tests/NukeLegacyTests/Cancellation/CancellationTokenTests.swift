import NukeTesting
import Testing

@testable import NukeLegacy

@Suite("A cancellation token", .timeLimit(.minutes(1)))
struct CancellationTokenTests {
  private let source = CancellationTokenSource()
  private let log = CallLog()

  @Test("It calls registered closures once, in order, when its source is canceled")
  func order() {
    for number in 0..<5 { source.token.register { log.append("\(number)") } }
    #expect(!source.isCancelling && !source.token.isCancelling)
    source.cancel()
    source.cancel()
    #expect(log.entries == ["0", "1", "2", "3", "4"])
    #expect(source.isCancelling && source.token.isCancelling)
  }

  @Test("It calls a closure immediately if it is already canceled")
  func late() {
    source.cancel()
    source.token.register { log.append("late") }
    #expect(log.entries == ["late"])
  }

  @Test("It is canceled before it calls closures, which may register more")
  func within() {
    let token = source.token
    token.register {
      log.append("\(token.isCancelling)")
      token.register { log.append("inner") }
    }
    source.cancel()
    #expect(log.entries == ["true", "inner"])
  }

  @Test("It neither calls nor retains unregistered closures")
  func removal() {
    let registration = source.token.registration { log.append("unwanted") }
    #expect(source.token.registrationCount == 1)
    registration.remove()
    #expect(source.token.registrationCount == 0)
    source.cancel()
    #expect(log.entries == [])
  }

  @Test("It calls each closure once if threads register and cancel concurrently")
  func threads() async {
    for _ in 0..<50 {
      let source = CancellationTokenSource()
      let log = CallLog()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { source.token.register { log.append("\(number)") } }
          group.addTask { source.cancel() }
        }
      }
      #expect(log.entries.sorted() == (0..<8).map { "\($0)" })
    }
  }
}
