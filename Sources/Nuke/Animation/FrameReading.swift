import NukeBase
import NukeImaging

/// The reader of an animation. Decodes frames on workers, as long as its plan requests more. Between two frames, it
/// moves to the end of the queue.
final class FrameReading: QueuedWork, @unchecked Sendable {
  private let animation: Animation
  private let id: FrameBudget.ID
  private let store: FrameStore
  private let onFailure: (@Sendable (AnimatedImage.Error) -> Void)?
  /// Used only by ``run()``, which runs on one thread at a time.
  private var frames: Animation.Frames?

  init(
    _ animation: Animation, id: FrameBudget.ID, store: FrameStore,
    onFailure: (@Sendable (AnimatedImage.Error) -> Void)?
  ) {
    self.animation = animation
    self.id = id
    self.store = store
    self.onFailure = onFailure
  }

  override func run() -> Outcome {
    guard let step = store.nextStep(id) else { return .done }
    switch step {
    case .read(_, let rewinds):
      finish(step) { try reader(startingOver: rewinds).next().map { .frame($0) } }
    case .skip(_, let rewinds):
      finish(step) { try reader(startingOver: rewinds).skip() ? .skipped : nil }
    case .release:
      frames = nil
    }
    // Must be the last statement: another worker may start to run it at once.
    store.queue.add(self)
    return .done
  }

  private func finish(_ step: FrameStore.Plan.Step, _ body: () throws -> FrameStore.Plan.Outcome?) {
    let outcome: FrameStore.Plan.Outcome
    do {
      outcome = try body() ?? .missing
    } catch {
      outcome = .failed(error)
    }
    if let failure = store.finish(id, step, outcome) { onFailure?(failure) }
  }

  private func reader(startingOver: Bool) throws -> Animation.Frames {
    if let frames {
      if startingOver { try frames.rewind() }
      return frames
    }
    let made = try animation.frames()
    frames = made
    return made
  }
}
