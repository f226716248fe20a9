package import NukeImaging

/// Decides which frames of an animation are kept, which one is decoded next, and which waiters receive it. Decodes
/// nothing itself.
///
/// Frames can only be decoded in order. To go back, the reader starts over, and skips the frames up to the requested
/// one.
package struct FramePlan<Waiter: Equatable> {
  package typealias Frame = Animation.Frame
  package typealias Reply = (waiter: Waiter, result: Result<Frame, AnimatedImage.Error>)

  /// The next step of the reader.
  package enum Step: Equatable, Sendable {
    /// Decodes the frame `index`. If `rewinds` is `true`, the reader starts over first.
    case read(index: Int, rewinds: Bool)
    /// Skips the frame `index`. If `rewinds` is `true`, the reader starts over first.
    case skip(index: Int, rewinds: Bool)
    /// Releases the reader. It is created again when it is needed.
    case release

    fileprivate var index: Int {
      switch self {
      case .read(let index, _), .skip(let index, _): index
      case .release: 0
      }
    }
  }

  /// The result of reading or skipping a frame.
  package enum Outcome {
    case frame(Frame)
    case skipped
    case failed(any Error)
    /// The reader has ended before the expected number of frames.
    case missing
  }

  private let frameCount: Int
  /// `true` if the first frame follows the last one.
  private let isRepeated: Bool
  package private(set) var keeping = FrameBudget.Keeping.nothing
  package private(set) var kept: [Int: Frame] = [:]
  /// The most recently requested frame.
  private var current: Int?
  private var waiting: [(waiter: Waiter, index: Int)] = []
  /// The error that prevents all later frames.
  package private(set) var failure: (index: Int, error: AnimatedImage.Error)?
  /// The next frame of the reader; `nil` if it has to start over.
  private var position: Int?
  private var hasReader = false
  private var isAtWork = false

  package init(frameCount: Int, isRepeated: Bool) {
    self.frameCount = frameCount
    self.isRepeated = isRepeated
  }

  /// The number of frames before the first one that failed.
  package var playableCount: Int { failure?.index ?? frameCount }
  /// The size of the kept frames, in bytes.
  package var keptByteCount: Int { kept.values.reduce(0) { $0 + $1.image.byteCount } }

  // MARK: Requests

  /// Records that `index` is the current frame. It and the next one are then wanted.
  ///
  /// - Returns: the frame if it is decoded, and frames to release.
  package mutating func show(_ index: Int) -> (frame: Frame?, released: [Frame]) {
    guard (0..<playableCount).contains(index) else { return (nil, []) }
    current = index
    return (kept[index], trim())
  }

  /// Adds a waiter for a frame. Returns its result if that is available at once.
  package mutating func wait(_ waiter: Waiter, for index: Int, noRoom: AnimatedImage.Error) -> (
    reply: Reply?, released: [Frame]
  ) {
    guard (0..<frameCount).contains(index) else {
      return ((waiter, .failure(.noSuchFrame(index: index, count: frameCount))), [])
    }
    if let failure, index >= failure.index { return ((waiter, .failure(failure.error)), []) }
    guard keeping != .nothing else { return ((waiter, .failure(noRoom)), []) }
    let (frame, released) = show(index)
    if let frame { return ((waiter, .success(frame)), released) }
    waiting.append((waiter, index))
    return (nil, released)
  }

  /// Removes a waiter. The frame is no longer wanted if there are no other waiters.
  package mutating func cancel(_ waiter: Waiter) {
    guard let place = waiting.firstIndex(where: { $0.waiter == waiter }) else { return }
    let index = waiting.remove(at: place).index
    if current == index, !waiting.contains(where: { $0.index == index }) { current = nil }
  }

  /// Applies a decision of the budget.
  ///
  /// - Parameter noRoom: the error for waiters whose frames cannot be decoded now.
  package mutating func keep(_ keeping: FrameBudget.Keeping, noRoom: AnimatedImage.Error) -> (
    replies: [Reply], released: [Frame]
  ) {
    self.keeping = keeping
    var replies: [Reply] = []
    if keeping == .nothing {
      replies = waiting.map { ($0.waiter, .failure(noRoom)) }
      waiting = []
      position = nil
    }
    return (replies, trim())
  }

  /// Releases all frames, including wanted ones, and removes all waiters.
  package mutating func stop() -> (replies: [Reply], released: [Frame]) {
    current = nil
    return keep(.nothing, noRoom: .cancelled)
  }

  // MARK: Work

  /// Returns `true` if there is work and nobody performs it, so that the caller must start to perform steps. Then
  /// returns `false` until ``nextStep()`` has returned `nil`.
  package mutating func schedules() -> Bool {
    guard !isAtWork, target != nil || hasUselessReader else { return false }
    isAtWork = true
    return true
  }

  /// Returns the next step of the reader. Returns `nil` if no frame has to be decoded; the caller then stops performing
  /// steps.
  package mutating func nextStep() -> Step? {
    guard let target else {
      // Only the running work uses the reader, so the work must release it before it ends.
      isAtWork = hasUselessReader
      defer { if hasUselessReader { hasReader = false } }
      return hasUselessReader ? .release : nil
    }
    hasReader = true
    let start = position.flatMap { $0 <= target ? $0 : nil }
    let index = start ?? 0
    return index == target ? .read(index: index, rewinds: start == nil) : .skip(index: index, rewinds: start == nil)
  }

  private var hasUselessReader: Bool { hasReader && position == nil }

  /// Records the result of a step.
  package mutating func finish(_ step: Step, _ outcome: Outcome) -> (replies: [Reply], released: [Frame]) {
    switch outcome {
    case .skipped:
      position = step.index + 1
      return ([], [])
    case .frame(let frame):
      position = step.index + 1
      kept[step.index] = frame
      let replies: [Reply] = waiting.filter { $0.index == step.index }.map { ($0.waiter, .success(frame)) }
      waiting.removeAll { $0.index == step.index }
      // When all frames are kept, nothing is left to decode.
      if keeping == .nothing || kept.count == playableCount { position = nil }
      return (replies, trim())
    case .failed(let error):
      return end(at: step.index, .frameFailed(index: step.index, error: error))
    case .missing:
      return end(at: step.index, .noSuchFrame(index: step.index, count: step.index))
    }
  }

  private mutating func end(at index: Int, _ error: AnimatedImage.Error) -> (replies: [Reply], released: [Frame]) {
    failure = (index, error)
    position = nil
    let replies: [Reply] = waiting.filter { $0.index >= index }.map { ($0.waiter, .failure(error)) }
    waiting.removeAll { $0.index >= index }
    if let current, current >= index { self.current = nil }
    return (replies, trim())
  }

  /// The next frame to decode: those with waiters, in order, then the current one, then the next one.
  private var target: Int? {
    guard keeping != .nothing else { return nil }
    if let first = waiting.first { return first.index }
    guard let current else { return nil }
    if kept[current] == nil { return current }
    guard let next = index(after: current), kept[next] == nil else { return nil }
    return next
  }

  private func index(after index: Int) -> Int? {
    if index + 1 < playableCount { return index + 1 }
    return isRepeated && playableCount > 1 ? 0 : nil
  }

  private mutating func trim() -> [Frame] {
    guard keeping != .all else { return [] }
    var released: [Frame] = []
    let next = current.flatMap(index(after:))
    for (index, frame) in kept where keeping == .nothing || index != current && index != next {
      released.append(frame)
      kept[index] = nil
    }
    return released
  }
}
