import NukeBase
import NukeHTTP
import NukeImaging

/// A request for one frame. It receives one result.
final class FrameRequest: Cancellable, Equatable {
  typealias Outcome = Result<Animation.Frame, AnimatedImage.Error>

  private struct State {
    var completion: (@Sendable (Outcome) -> Void)?
    var isOver = false
    var onCancel: (@Sendable (FrameRequest) -> Void)?
  }

  private let state = Lock(State())

  /// Sets the waiter.
  ///
  /// - Parameter onCancel: called if the request is canceled.
  /// - Returns: `false` if the request was already canceled. The waiter has received its result then.
  func begin(
    _ completion: @escaping @Sendable (Outcome) -> Void, onCancel: @escaping @Sendable (FrameRequest) -> Void
  ) -> Bool {
    let isOver = state.withLock { state in
      if !state.isOver {
        state.completion = completion
        state.onCancel = onCancel
      }
      return state.isOver
    }
    if isOver { completion(.failure(.cancelled)) }
    return !isOver
  }

  /// `true` if the waiter has received its result, or has been canceled.
  var isOver: Bool { state.withLock { $0.isOver } }

  func complete(_ outcome: Outcome) { end()?.completion?(outcome) }

  func cancel() {
    guard let ended = end() else { return }
    ended.onCancel?(self)
    ended.completion?(.failure(.cancelled))
  }

  private func end() -> State? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      defer {
        state = State()
        state.isOver = true
      }
      return state
    }
  }

  static func == (lhs: FrameRequest, rhs: FrameRequest) -> Bool { lhs === rhs }
}
