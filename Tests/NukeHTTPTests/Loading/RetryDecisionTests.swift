import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite("Decisions of a retry policy")
struct RetryDecisionTests {
  private let tries = Tries()
  private let recorder = Recorder()
  private let lost = DataLoader.TransferError.connectionLost(host: "a.test", reason: "reset")

  private var state: Recorder.State { recorder.state }

  @Test("A loader calls the policy on a worker", .timeLimit(.minutes(1)))
  func worker() async {
    let calls = Lock<[Bool]>([])
    var policy = RetryPolicy(maxRetryCount: 1, initialDelay: 0)
    policy.isWorthRetrying = { _ in
      calls.withLock { $0.append(WorkerPool.isWorker) }
      return true
    }
    policy.retryAfter = { _ in
      calls.withLock { $0.append(WorkerPool.isWorker) }
      return 0
    }
    let loader = DataLoader(configuration: makeConfiguration(), retryPolicy: policy)
    // No server listens on this port.
    let state = await loader.outcome(of: URL(string: "http://127.0.0.1:1/")!)
    #expect(state.hasError)
    #expect(calls.withLock { $0 } == [true, true])
  }

  @Test("A transfer that is canceled while the policy decides ends with the answer")
  func cancelled() {
    tries.holdAnswers()
    let transfer = tries.start(observer: recorder)
    tries.last.end(lost)
    transfer.cancel()
    #expect(state.ends.isEmpty)
    tries.answer()
    #expect(state.error == .cancelled && state.ends.count == 1)
    #expect(tries.waits.isEmpty && tries.count == 1)
  }

  @Test("A response that arrives while the policy decides on it is delivered in order", arguments: [1, 2, 3])
  func acceptedLate(partsBefore: Int) {
    tries.holdAnswers()
    _ = tries.start(observer: recorder)
    tries.last.head(404, length: 6, isAccepted: true)
    let parts = [{ tries.last.body("abc") }, { tries.last.body("def") }, { tries.last.end() }]
    for part in parts[..<partsBefore] { part() }
    #expect(state.heads.isEmpty && state.body.isEmpty && state.ends.isEmpty)
    tries.answer()
    for part in parts[partsBefore...] { part() }
    #expect(state.heads.map(\.status) == [404])
    #expect(state.body == Data("abcdef".utf8))
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(tries.waits.isEmpty)
  }

  @Test("A response is not delivered if the policy decides to retry after it has ended")
  func dismissedLate() {
    tries.holdAnswers()
    _ = tries.start(observer: recorder)
    tries.last.head(503, length: 4, isAccepted: true)
    tries.last.body("busy")
    tries.last.end()
    tries.answer()
    #expect(tries.waits == [1])
    tries.endWaits()
    tries.last.head(200, length: 3)
    tries.last.body("abc")
    tries.last.end()
    #expect(state.heads.map(\.status) == [200])
    #expect(state.body == Data("abc".utf8))
    #expect(state.ends.count == 1 && state.error == nil)
  }

  @Test("A transfer that is canceled while the policy decides on a response ends as canceled")
  func cancelledResponse() {
    tries.holdAnswers()
    let transfer = tries.start(observer: recorder)
    tries.last.head(503, length: 4, isAccepted: true)
    transfer.cancel()
    #expect(tries.last.log == ["cancel"])
    tries.last.end(.cancelled)
    #expect(state.ends.isEmpty)
    tries.answer()
    #expect(state.error == .cancelled && state.ends.count == 1)
    #expect(tries.waits.isEmpty && state.heads.isEmpty)
  }

  @Test("A long body is paused while the policy decides")
  func longBody() {
    tries.holdAnswers()
    let transfer = tries.start(observer: recorder)
    let part = String(repeating: "a", count: 10_000)
    tries.last.head(404, isAccepted: true)
    tries.last.body(part)
    #expect(tries.last.log == [])
    tries.last.body(part)
    #expect(tries.last.log == ["pause"])
    // The program's own calls must not resume it.
    transfer.pause()
    transfer.resume()
    #expect(tries.last.log == ["pause"])
    tries.answer()
    #expect(tries.last.log == ["pause", "resume"])
    tries.last.body(part)
    tries.last.end()
    #expect(state.body.count == 30_000 && state.error == nil)
  }

  @Test("A transfer that is paused while the policy decides delivers nothing until it is resumed or canceled")
  func paused() {
    for isCancelled in [false, true] {
      let (tries, recorder) = (Tries(), Recorder())
      tries.holdAnswers()
      let transfer = tries.start(observer: recorder)
      tries.last.head(404, isAccepted: true)
      tries.last.body("abc")
      transfer.pause()
      tries.answer()
      #expect(recorder.state.heads.isEmpty && recorder.state.body.isEmpty)
      if isCancelled { transfer.cancel() } else { transfer.resume() }
      // On another thread, like an answer.
      #expect(recorder.state.heads.isEmpty)
      tries.answer()
      tries.last.end(isCancelled ? .cancelled : nil)
      #expect(recorder.state.ends.count == 1 && recorder.state.error == (isCancelled ? .cancelled : nil))
      #expect(recorder.state.body == Data("abc".utf8))
    }
  }
}
