import NukeBase
import NukeImaging

/// Decodes and stores the frames of all animations of the process, within one memory budget. ``FrameBudget`` and
/// ``FramePlan`` decide under its lock; their decisions are performed outside of it.
package final class FrameStore: Sendable {
  typealias Plan = FramePlan<FrameRequest>

  package static let shared = FrameStore(limit: defaultLimit, pressure: .shared)

  /// The default limit in bytes: a twentieth of the memory that this process may use, and at most 256 MB.
  static var defaultLimit: Int { min(256 << 20, MemoryLimit.bytes / 20) }

  private struct Entry {
    var plan: Plan
    let size: (frameCount: Int, frameByteCount: Int, canvasByteCount: Int)
    let reading: FrameReading
  }

  private struct State {
    var budget: FrameBudget
    var entries: [FrameBudget.ID: Entry] = [:]
    var lastID = 0

    func noRoom(for id: FrameBudget.ID) -> AnimatedImage.Error {
      .noRoom(byteCount: budget.leastByteCount(id), limit: budget.limit)
    }
  }

  private let state: Lock<State>
  /// The queue that decodes and processes frames.
  let queue: TaskQueue

  private let registration = Lock<MemoryPressure.Registration?>(nil)

  /// - Parameters:
  ///   - limit: the maximum memory in bytes.
  ///   - queue: the queue that decodes and processes frames.
  ///   - pressure: reports memory pressure, which calls ``releaseFrames()``.
  package init(
    limit: Int, queue: TaskQueue = TaskQueue(maxConcurrentOperationCount: 2), pressure: MemoryPressure? = nil
  ) {
    state = Lock(State(budget: FrameBudget(limit: limit)))
    self.queue = queue
    let made = pressure?.register { [weak self] _ in self?.releaseFrames() }
    registration.withLock { $0 = made }
  }

  // MARK: Statistics

  package var limit: Int {
    get { state.withLock { $0.budget.limit } }
    set { change { state, effects in effects.changed = state.budget.setLimit(newValue) } }
  }

  /// The memory reserved for all animations, including decoding, in bytes.
  package var bookedByteCount: Int { state.withLock { $0.budget.bookedByteCount } }
  /// The current size of the stored frames, in bytes.
  package var keptByteCount: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.plan.keptByteCount } } }
  /// The number of live animations.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Releases all frames except the current and the next one of each animation.
  package func releaseFrames() { change { state, effects in effects.changed = state.budget.reduceAll() } }

  // MARK: Animations

  func add(_ animation: Animation, onFailure: (@Sendable (AnimatedImage.Error) -> Void)?) -> FrameBudget.ID {
    state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      state.entries[id] = Entry(
        plan: Plan(frameCount: animation.frameCount, isRepeated: animation.loopCount != 1),
        size: (
          animation.frameCount, animation.pixelWidth * animation.pixelHeight * 4, animation.canvasByteCount
        ),
        reading: FrameReading(animation, id: id, store: self, onFailure: onFailure))
      return id
    }
  }

  func remove(_ id: FrameBudget.ID) {
    stop(id)
    let entry = state.withLock { $0.entries.removeValue(forKey: id) }
    if let entry { queue.remove(entry.reading) }
  }

  /// Releases the frames of an animation, and its share of the budget, until one of its frames is requested again.
  func stop(_ id: FrameBudget.ID) {
    change { state, effects in
      effects.changed = state.budget.leave(id)
      effects.changed.remove(id)
      if let stopped = state.entries[id]?.plan.stop() { effects.add(stopped) }
      effects.touched = id
    }
  }

  /// Returns the frame if it is decoded. Otherwise, starts to decode it, and returns `nil`. In both cases, the next
  /// frame is decoded too.
  func show(_ index: Int, of id: FrameBudget.ID) -> Animation.Frame? {
    change { state, effects in
      demand(id, &state, &effects)
      let shown = state.entries[id]?.plan.show(index)
      effects.released += shown?.released ?? []
      return shown?.frame
    }
  }

  func wait(_ request: FrameRequest, for index: Int, of id: FrameBudget.ID) {
    change { state, effects in
      demand(id, &state, &effects)
      let noRoom = state.noRoom(for: id)
      guard let waited = state.entries[id]?.plan.wait(request, for: index, noRoom: noRoom) else { return }
      if let reply = waited.reply { effects.replies.append(reply) }
      effects.released += waited.released
    }
  }

  func cancel(_ request: FrameRequest, of id: FrameBudget.ID) {
    state.withLock { $0.entries[id]?.plan.cancel(request) }
  }

  func playableCount(_ id: FrameBudget.ID) -> Int { state.withLock { $0.entries[id]?.plan.playableCount ?? 0 } }
  func failure(_ id: FrameBudget.ID) -> AnimatedImage.Error? { state.withLock { $0.entries[id]?.plan.failure?.error } }

  private func demand(_ id: FrameBudget.ID, _ state: inout State, _ effects: inout Effects) {
    guard let size = state.entries[id]?.size else { return }
    effects.touched = id
    if state.budget.contains(id) {
      effects.changed = state.budget.use(id)
    } else {
      effects.changed = state.budget.enter(
        id, frameCount: size.frameCount, frameByteCount: size.frameByteCount,
        canvasByteCount: size.canvasByteCount)
    }
    // The decisions must be applied before the frame is looked up.
    effects.apply(&state)
  }

  // MARK: Work

  func nextStep(_ id: FrameBudget.ID) -> Plan.Step? { state.withLock { $0.entries[id]?.plan.nextStep() } ?? nil }

  /// Records the result of a step.
  ///
  /// - Returns: the error if it ends the animation.
  func finish(_ id: FrameBudget.ID, _ step: Plan.Step, _ outcome: Plan.Outcome) -> AnimatedImage.Error? {
    change { state, effects in
      guard let finished = state.entries[id]?.plan.finish(step, outcome) else { return nil }
      effects.add(finished)
      switch outcome {
      case .frame(let frame):
        effects.changed = state.budget.resize(id, frameByteCount: frame.image.byteCount)
        return nil
      case .skipped: return nil
      case .failed, .missing: return state.entries[id]?.plan.failure?.error
      }
    }
  }

  // MARK: Effects

  /// The work to do after the lock has been released.
  private struct Effects {
    /// The animations whose share of the budget has changed.
    var changed: Set<FrameBudget.ID> = []
    /// The animation that may have work now.
    var touched: FrameBudget.ID?
    var replies: [Plan.Reply] = []
    /// Released outside the lock, because freeing pixels takes time.
    var released: [Animation.Frame] = []
    var readings: [FrameReading] = []

    mutating func add(_ part: (replies: [Plan.Reply], released: [Animation.Frame])) {
      replies += part.replies
      released += part.released
    }

    mutating func apply(_ state: inout State) {
      for id in changed {
        let noRoom = state.noRoom(for: id)
        if let kept = state.entries[id]?.plan.keep(state.budget.keeping(id), noRoom: noRoom) { add(kept) }
        schedule(id, &state)
      }
      changed = []
    }

    mutating func schedule(_ id: FrameBudget.ID, _ state: inout State) {
      if state.entries[id]?.plan.schedules() == true, let reading = state.entries[id]?.reading {
        readings.append(reading)
      }
    }
  }

  @discardableResult
  private func change<Result>(_ body: (inout State, inout Effects) -> Result) -> Result {
    let (result, effects) = state.withLock { state in
      var effects = Effects()
      let result = body(&state, &effects)
      effects.apply(&state)
      if let id = effects.touched { effects.schedule(id, &state) }
      return (result, effects)
    }
    for reading in effects.readings { queue.add(reading) }
    for reply in effects.replies { reply.waiter.complete(reply.result) }
    return result
  }
}
