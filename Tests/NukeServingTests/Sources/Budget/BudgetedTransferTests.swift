import Foundation
import Nuke
import NukeLoaderSuite
import Testing

@testable import NukeServing

@Suite("Transfers within the loading budget")
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
    func receive(status: Int) {
      observer.didReceive(ResponseHead(url: URL(fileURLWithPath: "/"), status: status, expectedLength: nil, block: []))
    }
    func finish(_ error: DataLoader.TransferError? = nil) { observer.didFinish(error) }
  }

  private let clock = FakeClock()
  private let budget: LoadingBudget

  init() { budget = LoadingBudget(limit: 100, share: 10, clock: clock.clock) }

  private func start(
    _ observer: any StreamObserver = Recorder(), firstByte: Int = 0
  ) throws -> (BudgetedTransfer, ManualTransfer) {
    var inner: ManualTransfer?
    let transfer = BudgetedTransfer.start(budget, firstByte: firstByte, observer: observer) { observer in
      let transfer = ManualTransfer(observer)
      inner = transfer
      return transfer
    }
    return (transfer, try #require(inner))
  }

  @Test("A transfer waits while others use the budget, and continues when one has ended")
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

  @Test("A transfer continues when neither its reader nor the budget pauses it")
  func bothReasons() throws {
    let ((_, first), (transfer, second)) = (try start(), try start())
    first.receive(95)
    second.receive(11)
    transfer.pause()
    first.finish()
    #expect(second.isPaused)
    transfer.resume()
    #expect(!second.isPaused)
  }

  @Test("A canceled transfer returns its bytes, even if its loader does not report the end")
  func cancelled() throws {
    let ((transfer, first), (_, second)) = (try start(), try start())
    first.receive(95)
    second.receive(11)
    transfer.cancel()
    #expect(first.isCancelled && !second.isPaused)
    #expect(budget.statistics.bytes == 11)
  }

  @Test("A transfer is paused for bytes that arrived before its loader returned it")
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

  @Test("A slow transfer passes its turn to the next one, and gets another turn afterwards")
  func turn() async throws {
    let ((_, first), (_, second)) = (try start(), try start())
    first.receive(90)
    second.receive(11)
    await clock.sleepers(count: 1)
    clock.advance(seconds: 2)
    await clock.sleepers(count: 1)
    #expect(first.isPaused && !second.isPaused)
    #expect(budget.statistics.paused == 1)
    second.finish()
    #expect(!first.isPaused)
    clock.advance(seconds: 2)
    #expect(budget.statistics == LoadingBudget.Statistics(bytes: 90, limit: 100))
  }

  @Test("A slow transfer is aborted in favor of others if too many bytes are held")
  func aborted() async throws {
    let recorder = Recorder()
    let ((_, first), (_, second)) = (try start(recorder), try start())
    first.receive(190)
    second.receive(11)
    await clock.sleepers(count: 1)
    clock.advance(seconds: 2)
    await clock.sleepers(count: 1)
    #expect(first.isCancelled && second.isPaused)
    // Its loader takes its time.
    clock.advance(seconds: 2)
    await clock.sleepers(count: 1)
    first.finish(.cancelled)
    #expect(recorder.state.ends.first.flatMap { $0 as? ServingError } == .overloaded(retryAfter: 1))
    #expect(!second.isPaused && budget.statistics.aborted == 1)
  }

  @Test("A timeout while waiting for others is reported as overload")
  func timedOut() throws {
    let timeout = DataLoader.TransferError.timedOut(.resource, host: "example.com", seconds: 20)
    let (waiter, other) = (Recorder(), Recorder())
    let ((_, first), (_, second)) = (try start(other), try start(waiter))
    first.receive(95)
    second.receive(11)
    second.finish(timeout)
    first.finish(timeout)
    #expect(waiter.state.ends.first.flatMap { $0 as? ServingError } == .overloaded(retryAfter: 1))
    #expect(other.state.ends.first.flatMap { $0 as? DataLoader.TransferError } == timeout)
  }

  @Test("The bytes that the caller already has count if the rest is delivered")
  func range() throws {
    let ((_, part), (_, whole)) = (try start(firstByte: 50), try start(firstByte: 50))
    part.receive(status: 206)
    part.receive(5)
    whole.receive(status: 200)
    whole.receive(11)
    #expect(budget.statistics.bytes == 55 + 11)
  }

  @Test("A transfer releases its dependencies when it has ended")
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
