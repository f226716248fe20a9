/// Decides how many frames each of several animations may keep, so that all of them together take no more bytes than
/// there are.
///
/// Room is booked before frames are decoded. An animation that has just started is let in before those that play: the
/// ones used least recently keep a window in place of all their frames. Between two that play room is never taken back
/// and forth: an animation grows again only when room has become free.
package struct FrameBudget {
  package typealias ID = Int

  /// The amount of frames that an animation may keep in memory.
  package enum Keeping: Int, Comparable, Sendable {
    /// No frame: there is no room for it to be played.
    case nothing
    /// The frame that is shown and the next.
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

    /// Decoding takes two canvases beside the frames that are kept.
    func byteCount(_ keeping: Keeping) -> Int {
      switch keeping {
      case .nothing: 0
      case .window: 2 * canvasByteCount + 2 * frameByteCount
      case .all: 2 * canvasByteCount + max(2, frameCount) * frameByteCount
      }
    }
  }

  /// Bytes.
  package private(set) var limit: Int
  /// Bytes that are booked; never more than the limit.
  package private(set) var bookedByteCount = 0
  private var claims: [ID: Claim] = [:]
  private var uses = 0

  package init(limit: Int) { self.limit = max(0, limit) }

  package func contains(_ id: ID) -> Bool { claims[id] != nil }
  package func keeping(_ id: ID) -> Keeping { claims[id]?.keeping ?? .nothing }

  /// Bytes that an animation needs to be played at all.
  package func leastByteCount(_ id: ID) -> Int { claims[id]?.byteCount(.window) ?? 0 }

  // Each change returns the animations that may keep more or less than before.

  /// Lets an animation in that starts.
  ///
  /// - Parameters:
  ///   - frameByteCount: bytes of one frame as it is kept.
  ///   - canvasByteCount: bytes of one frame as it is decoded.
  package mutating func enter(_ id: ID, frameCount: Int, frameByteCount: Int, canvasByteCount: Int) -> Set<ID> {
    var changed = leave(id)
    uses += 1
    claims[id] = Claim(
      frameCount: frameCount, canvasByteCount: canvasByteCount, frameByteCount: frameByteCount, lastUse: uses)
    admit(id, &changed)
    return changed
  }

  /// Notes that a frame was asked for. One that had no room before may have it now.
  package mutating func use(_ id: ID) -> Set<ID> {
    guard claims[id] != nil else { return [] }
    uses += 1
    claims[id]?.lastUse = uses
    var changed: Set<ID> = []
    if keeping(id) == .nothing { admit(id, &changed) }
    return changed
  }

  /// Notes the size of a frame that was decoded, where it is larger than all before.
  package mutating func resize(_ id: ID, frameByteCount: Int) -> Set<ID> {
    guard let claim = claims[id], frameByteCount > claim.frameByteCount else { return [] }
    var changed: Set<ID> = []
    set(id, to: .nothing, &changed)
    claims[id]?.frameByteCount = frameByteCount
    if !grow(id, to: claim.keeping, &changed) { admit(id, &changed) }
    return changed
  }

  /// Takes an animation out that is gone or stopped.
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

  /// Lets no animation keep more than a window, until room becomes free or it starts anew.
  package mutating func reduceAll() -> Set<ID> {
    var changed: Set<ID> = []
    while let id = leastRecentlyUsed(.all) { set(id, to: .window, &changed) }
    return changed
  }

  // MARK: Decisions

  /// Books as much as can be had for an animation that keeps nothing, from those that keep all where it must be.
  private mutating func admit(_ id: ID, _ changed: inout Set<ID>) {
    guard let claim = claims[id] else { return }
    // What cannot be had in any way is not to cost others their frames.
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

  /// Gives free room to those used most recently: first a window to each, then all frames.
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
