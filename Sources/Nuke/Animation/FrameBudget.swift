/// Decides how many frames each animation may keep, so that all of them together stay within a memory limit.
///
/// Memory is reserved before frames are decoded. A new animation takes precedence: those that were used least recently
/// then keep a window instead of all their frames. Among running animations, memory is never moved back and forth. An
/// animation keeps more frames again only when memory has become free.
package struct FrameBudget {
  package typealias ID = Int

  /// The frames that an animation may keep in memory.
  package enum Keeping: Int, Comparable, Sendable {
    /// No frames: the budget is too small to play the animation.
    case nothing
    /// The current frame and the next one.
    case window
    /// Every frame, once it has been decoded.
    case all

    package static func < (lhs: Keeping, rhs: Keeping) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private struct Claim {
    let frameCount: Int
    let canvasByteCount: Int
    var frameByteCount: Int
    var keeping = Keeping.nothing
    var lastUse: Int

    /// Decoding needs two canvases in addition to the frames.
    func byteCount(_ keeping: Keeping) -> Int {
      switch keeping {
      case .nothing: 0
      case .window: 2 * canvasByteCount + 2 * frameByteCount
      case .all: 2 * canvasByteCount + max(2, frameCount) * frameByteCount
      }
    }
  }

  /// The limit in bytes.
  package private(set) var limit: Int
  /// The reserved memory in bytes; never more than the limit.
  package private(set) var bookedByteCount = 0
  private var claims: [ID: Claim] = [:]
  private var uses = 0

  package init(limit: Int) { self.limit = max(0, limit) }

  package func contains(_ id: ID) -> Bool { claims[id] != nil }
  package func keeping(_ id: ID) -> Keeping { claims[id]?.keeping ?? .nothing }

  /// Returns the minimum memory for playing an animation, in bytes.
  package func leastByteCount(_ id: ID) -> Int { claims[id]?.byteCount(.window) ?? 0 }

  // Each of the following methods returns the animations that may keep more or fewer frames than before.

  /// Adds an animation that starts.
  ///
  /// - Parameters:
  ///   - frameByteCount: the size of a kept frame, in bytes.
  ///   - canvasByteCount: the size of a frame during decoding, in bytes.
  package mutating func enter(_ id: ID, frameCount: Int, frameByteCount: Int, canvasByteCount: Int) -> Set<ID> {
    var changed = leave(id)
    uses += 1
    claims[id] = Claim(
      frameCount: frameCount, canvasByteCount: canvasByteCount, frameByteCount: frameByteCount, lastUse: uses)
    admit(id, &changed)
    return changed
  }

  /// Records that a frame was requested. There may be enough memory now for an animation that had none before.
  package mutating func use(_ id: ID) -> Set<ID> {
    guard claims[id] != nil else { return [] }
    uses += 1
    claims[id]?.lastUse = uses
    var changed: Set<ID> = []
    if keeping(id) == .nothing { admit(id, &changed) }
    return changed
  }

  /// Records the size of a decoded frame if it is larger than all frames before.
  package mutating func resize(_ id: ID, frameByteCount: Int) -> Set<ID> {
    guard let claim = claims[id], frameByteCount > claim.frameByteCount else { return [] }
    var changed: Set<ID> = []
    set(id, to: .nothing, &changed)
    claims[id]?.frameByteCount = frameByteCount
    if !grow(id, to: claim.keeping, &changed) { admit(id, &changed) }
    return changed
  }

  /// Removes an animation that was released or stopped.
  package mutating func leave(_ id: ID) -> Set<ID> {
    var changed: Set<ID> = []
    set(id, to: .nothing, &changed)
    guard claims.removeValue(forKey: id) != nil else { return [] }
    useRoom(&changed)
    return changed
  }

  package mutating func setLimit(_ limit: Int) -> Set<ID> {
    self.limit = max(0, limit)
    var changed: Set<ID> = []
    for (from, to) in [(Keeping.all, Keeping.window), (.window, .nothing)] {
      while bookedByteCount > self.limit, let id = leastRecentlyUsed(from) { set(id, to: to, &changed) }
    }
    useRoom(&changed)
    return changed
  }

  /// Reduces all animations to a window, until memory becomes free or they start again.
  package mutating func reduceAll() -> Set<ID> {
    var changed: Set<ID> = []
    while let id = leastRecentlyUsed(.all) { set(id, to: .window, &changed) }
    return changed
  }

  // MARK: Decisions

  /// Reserves as much as possible for an animation that keeps nothing, taking memory from those that keep all frames if
  /// necessary.
  private mutating func admit(_ id: ID, _ changed: inout Set<ID>) {
    guard let claim = claims[id] else { return }
    // If there cannot be enough memory in any case, no other animation should lose frames.
    let least = claims.values.reduce(0) { $0 + $1.byteCount(min($1.keeping, .window)) }
    for keeping in [Keeping.all, .window] where least + claim.byteCount(keeping) <= limit {
      while bookedByteCount + claim.byteCount(keeping) > limit, let other = leastRecentlyUsed(.all) {
        set(other, to: .window, &changed)
      }
      set(id, to: keeping, &changed)
      return
    }
  }

  private mutating func grow(_ id: ID, to keeping: Keeping, _ changed: inout Set<ID>) -> Bool {
    guard let claim = claims[id], claim.keeping < keeping,
      bookedByteCount - claim.byteCount(claim.keeping) + claim.byteCount(keeping) <= limit
    else { return false }
    set(id, to: keeping, &changed)
    return true
  }

  /// Distributes free memory to the most recently used animations: first a window for each, then all frames.
  private mutating func useRoom(_ changed: inout Set<ID>) {
    let ids = claims.keys.sorted { claims[$0]!.lastUse > claims[$1]!.lastUse }
    for keeping in [Keeping.window, .all] {
      for id in ids { _ = grow(id, to: keeping, &changed) }
    }
  }

  private func leastRecentlyUsed(_ keeping: Keeping) -> ID? {
    claims.filter { $0.value.keeping == keeping }.min { $0.value.lastUse < $1.value.lastUse }?.key
  }

  private mutating func set(_ id: ID, to keeping: Keeping, _ changed: inout Set<ID>) {
    guard let claim = claims[id], claim.keeping != keeping else { return }
    bookedByteCount += claim.byteCount(keeping) - claim.byteCount(claim.keeping)
    claims[id]?.keeping = keeping
    changed.insert(id)
  }
}
