import Foundation
import Nuke
import NukeImaging
import NukeLoaderSuite
import Testing

@testable import NukeServing

@Suite("A source that is loaded within a budget")
struct BudgetedTransferTests {
  /// A transfer that does what the test says, and remembers what it was told.
  private final class ManualTransfer: Transfer {
    private let observer: any StreamObserver
    private let state = Lock((isPaused: false, isCancelled: false))

    init(_ observer: any StreamObserver) { self.observer = observer }

    var isPaused: Bool { state.withLock { $0.isPaused } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() { state.withLock { $0.isCancelled = true } }
    func pause() { state.withLock { $0.isPaused = true } }
    func resume() { state.withLock { $0.isPaused = false } }

    func receive(_ count: Int) { Data(count: count).withUnsafeBytes { observer.didReceive($0) } }
    func finish() { observer.didFinish(nil) }
  }

  private let budget = LoadingBudget(limit: 100, share: 10)

  private func start(_ observer: any StreamObserver = Recorder()) throws -> (BudgetedTransfer, ManualTransfer) {
    var inner: ManualTransfer?
    let transfer = BudgetedTransfer.start(budget, observer: observer) { observer in
      let transfer = ManualTransfer(observer)
      inner = transfer
      return transfer
    }
    return (transfer, try #require(inner))
  }

  @Test("waits while others hold all the room, and goes on when one has ended")
  func waiting() throws {
    let recorder = Recorder()
    let ((_, first), (_, second)) = (try start(), try start(recorder))
    first.receive(90)
    second.receive(11)
    #expect(second.isPaused && !first.isPaused)
    #expect(budget.statistics == LoadingBudget.Statistics(bytes: 101, limit: 100, paused: 1))
    first.receive(500)
    #expect(!first.isPaused, "the first goes on to its end")
    first.finish()
    #expect(!second.isPaused)
    second.receive(5)
    second.finish()
    #expect(recorder.state.body.count == 16 && recorder.state.ends.count == 1)
    #expect(budget.statistics.bytes == 0 && budget.statistics.paused == 0)
  }

  @Test("goes on when neither its reader nor the budget holds it up")
  func bothHolds() throws {
    let ((_, first), (transfer, second)) = (try start(), try start())
    first.receive(95)
    second.receive(11)
    transfer.pause()
    first.finish()
    #expect(second.isPaused)
    transfer.resume()
    #expect(!second.isPaused)
  }

  @Test("makes room when it is cancelled, though its loader says nothing of it")
  func cancelled() throws {
    let ((transfer, first), (_, second)) = (try start(), try start())
    first.receive(95)
    second.receive(11)
    transfer.cancel()
    #expect(first.isCancelled && !second.isPaused)
    #expect(budget.statistics.bytes == 11)
  }

  @Test("is held up by what has come before its loader has said which transfer it is")
  func earlyBytes() throws {
    let (_, first) = try start()
    first.receive(95)
    let second = Lock<ManualTransfer?>(nil)
    let transfer = BudgetedTransfer.start(budget, observer: Recorder()) { observer in
      let inner = ManualTransfer(observer)
      second.withLock { $0 = inner }
      inner.receive(11)
      return inner
    }
    #expect(second.withLock { $0 }?.isPaused == true)
    withExtendedLifetime(transfer) {}
  }

  @Test("forgets what it was made of when it has ended")
  func letsGo() throws {
    weak var observer: Recorder?
    var transfer: BudgetedTransfer?
    do {
      let recorder = Recorder()
      observer = recorder
      let (made, inner) = try start(recorder)
      transfer = made
      inner.receive(50)
      inner.finish()
    }
    #expect(observer == nil && transfer != nil)
  }
}
