import Foundation
import FoundationNetworking
import Nuke

/// Performs the steps of an answer.
final class FakeTransfer: Cancellable {
  private struct State: Sendable {
    var next = 0
    var isCancelled = false
    var isCompleted = false
  }

  private let answer: FakeDataLoader.Answer
  private let response: URLResponse
  private let queue: DispatchQueue?
  private let didReceiveData: @Sendable (Data, URLResponse) -> Void
  private let completion: @Sendable ((any Error)?) -> Void
  private let onCancel: @Sendable () -> Void
  private let state = Lock(State())

  init(
    request: URLRequest, answer: FakeDataLoader.Answer, queue: DispatchQueue?,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.answer = answer
    self.queue = queue
    self.didReceiveData = didReceiveData
    self.completion = completion
    self.onCancel = onCancel
    response = answer.response(to: request)
  }

  func goOn() {
    if let queue { queue.async { self.performSteps() } } else { performSteps() }
  }

  private func performSteps() {
    while let step = nextStep() {
      switch step {
      case .wait(let gate):
        if !gate.isOpen { return gate.whenOpen { self.goOn() } }
      case .chunk(let data): didReceiveData(data, response)
      case .complete(let error):
        state.withLock { $0.isCompleted = true }
        completion(error)
      }
    }
  }

  private func nextStep() -> FakeDataLoader.Answer.Step? {
    state.withLock { state in
      guard !state.isCancelled, state.next < answer.steps.count else { return nil }
      state.next += 1
      return answer.steps[state.next - 1]
    }
  }

  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isCancelled = true }
      return !state.isCancelled && !state.isCompleted
    }
    guard isFirst else { return }
    onCancel()
    // The protocol requires a canceled transfer to complete, too.
    let complete: @Sendable () -> Void = { [completion] in completion(FakeDataLoader.Failure.cancelled) }
    if let queue { queue.async(execute: complete) } else { complete() }
  }
}
