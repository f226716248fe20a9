package import NukeImaging

/// Decides for one animation which frames are kept, which is decoded next, and who gets what. Decodes nothing itself.
///
/// Frames can be decoded in their order only. Where one is wanted that lies behind, the reader starts over; those that
/// are passed on the way are skipped.
package struct FramePlan<Waiter: Equatable> {
  package typealias Frame = Animation.Frame
  package typealias Reply = (waiter: Waiter, result: Result<Frame, AnimatedImage.Error>)

  /// The next step of the reader.
  package enum Step: Equatable, Sendable {
    /// It decodes the frame `index`, after it has started over if `rewinds`.
    case read(index: Int, rewinds: Bool)
    /// The same for a frame that nobody wants.
    case skip(index: Int, rewinds: Bool)
    /// It is let go of, and made anew when there is need.
    case release

    fileprivate var index: Int {
      switch self {
      case .read(let index, _), .skip(let index, _): index
      case .release: 0
      }
    }
  }

  /// The outcome of reading or skipping a frame.
  package enum Outcome {
    case frame(Frame)
    case skipped
    case failed(any Error)
    /// The reader has end before its time.
    case missing
  }

  private let frameCount: Int
  /// `true` if the frame behind the last is the first one again.
  private let isRepeated: Bool
  package private(set) var keeping = FrameBudget.Keeping.nothing
  package private(set) var kept: [Int: Frame] = [:]
  /// The frame asked for last.
  private var current: Int?
  private var waiting: [(waiter: Waiter, index: Int)] = []
  /// Why no frame behind is given any more.
  package private(set) var failure: (index: Int, error: AnimatedImage.Error)?
  /// The frame that the reader gives next; `nil` if it has to start over.
  private var position: Int?
  private var hasReader = false
  private var isAtWork = false

  package init(frameCount: Int, isRepeated: Bool) {
    self.frameCount = frameCount
    self.isRepeated = isRepeated
  }

  /// Frames up to the first that cannot be had.
  package var playableCount: Int { failure?.index ?? frameCount }
  /// Bytes of the frames that are kept.
  package var keptByteCount: Int { kept.values.reduce(0) { $0 + $1.image.byteCount } }

  // MARK: Demand

  /// Notes that `index` is shown now: it and the next are wanted from now on.
  ///
  /// - Returns: the frame, where it is there, and frames that are kept no longer.
  package mutating func show(_ index: Int) -> (frame: Frame?, released: [Frame]) {
    guard (0..<playableCount).contains(index) else { return (nil, []) }
    current = index
    return (kept[index], trim())
  }

  /// Lets `waiter` wait for a frame; returns what it is told at once, if it need not wait.
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

  /// Takes back a wait, and the demand with it where nobody else waits.
  package mutating func cancel(_ waiter: Waiter) {
    guard let place = waiting.firstIndex(where: { $0.waiter == waiter }) else { return }
    let index = waiting.remove(at: place).index
    if current == index, !waiting.contains(where: { $0.index == index }) { current = nil }
  }

  /// Applies what the budget says.
  ///
  /// - Parameter noRoom: what those are told who wait for frames that will not be decoded now.
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

  /// Lets go of all frames, those that are wanted too, and of the demand.
  package mutating func stop() -> (replies: [Reply], released: [Frame]) {
    current = nil
    return keep(.nothing, noRoom: .cancelled)
  }

  // MARK: Work

  /// Returns `true` if somebody is to ask for the next step; said once until ``nextStep()`` gives none.
  package mutating func schedules() -> Bool {
    guard !isAtWork, target != nil || hasUselessReader else { return false }
    isAtWork = true
    return true
  }

  /// Returns the next step of the reader; `nil` if no frame is wanted, which ends the work.
  package mutating func nextStep() -> Step? {
    guard let target else {
      // While the work lasts nobody else touches the reader, so that it is let go of before the end.
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

  /// Notes what a step has led to.
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
      // With all frames at hand nothing is left to decode.
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

  /// The frame that is to be had next: those that are waited for, in order, the one shown, and the one behind it.
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
