import Foundation
import Nuke
import Synchronization

/// The last purge of each source: those of this node, and those that other nodes have recorded in a store.
///
/// A node looks up the last purge in the store before it sends an image, at most once per ``interval`` for each source.
/// A purge therefore reaches all nodes within the interval. If the store does not reply, the last known purge applies.
/// Requests for a source that is being looked up wait for the same look-up.
final class SourcePurges: Sendable {
  private struct Known {
    var id: PurgeID?
    /// The ID of the purge that the last purge of this node replaced. The store has it until the new one is recorded.
    var replaced: PurgeID?
    /// The uptime of the last look-up in the store; `nil` if there was none.
    var lookedAt: Int?
    /// `true` if the source was loaded since the purge.
    var isLoaded = false
  }

  private struct State {
    /// Clients choose the sources, so the table keeps only hashes of them. Sources with equal hashes share their purges.
    var known = RecentTable<Int, Known>(limit: 65_536)
    /// The requests that wait for the look-up of a source. There is at most one look-up for each.
    var lookUps: [Int: [Deferred<Void>]] = [:]
  }

  private let state = Lock(State())
  private let store: RenditionStore?
  private let flush: (@Sendable () -> Void)?
  private let clock: ServiceClock
  /// Nanoseconds.
  private let interval: Int
  /// `false` if there is nothing to look up: no store, and no purge on this node.
  private let isActive: Atomic<Bool>

  /// - Parameters:
  ///   - store: the store that the nodes share; `nil` if there is none.
  ///   - flush: see ``PurgeStore``.
  ///   - interval: the minimum number of seconds between two look-ups for the same source.
  init(_ store: RenditionStore?, flush: (@Sendable () -> Void)?, interval: Double, clock: ServiceClock) {
    self.store = store
    self.flush = flush
    self.clock = clock
    self.interval = ServiceClock.nanoseconds(interval)
    isActive = Atomic(store != nil)
  }

  /// Returns `true` if a rendition may be sent without looking in the store.
  func admits(_ record: RenditionRecord, of source: URL) -> Bool {
    guard isActive.load(ordering: .relaxed) else { return true }
    let known = state.withLock { $0.known[source.hashValue] }
    return !isLookDue(known, now: clock.uptime()) && record.isCurrent(after: known?.id)
  }

  /// Returns `true` if another purge of a source is known than the given one.
  func isPurged(_ source: URL, since id: PurgeID?) -> Bool {
    guard isActive.load(ordering: .relaxed), let last = state.withLock({ $0.known[source.hashValue]?.id }) else {
      return false
    }
    return last != id
  }

  /// Returns the last purge of a source. Looks in the store if the last look-up was longer ago than the interval.
  ///
  /// - Parameter learn: called once for a purge that this node did not know, before the requests that wait for the look-up
  ///   receive it.
  func last(of source: URL, learn: @escaping @Sendable () -> Void) async -> PurgeID? {
    guard isActive.load(ordering: .relaxed) else { return nil }
    let (key, now) = (source.hashValue, clock.uptime())
    let (found, end, isFirst) = state.withLock { state -> (PurgeID?, Deferred<Void>?, Bool) in
      let found = state.known[key]
      guard isLookDue(found, now: now) else { return (found?.id, nil, false) }
      let (end, isFirst) = (Deferred<Void>(), state.lookUps[key] == nil)
      state.lookUps[key, default: []].append(end)
      return (found?.id, end, isFirst)
    }
    guard let store, let end else { return found }
    if isFirst {
      // A task of its own, since the request that began the look-up may be canceled before the others.
      Task {
        await look(for: source, in: store, since: found, learn)
        for waiter in state.withLock({ $0.lookUps.removeValue(forKey: key) ?? [] }) { waiter.complete(()) }
      }
    }
    await end.value(whenCancelled: ())
    // This node may have purged the source during the look-up.
    return state.withLock { $0.known[key]?.id }
  }

  /// - Parameter last: the last purge before the look-up.
  private func look(
    for source: URL, in store: RenditionStore, since last: PurgeID?, _ learn: @Sendable () -> Void
  ) async {
    let id = await store.data(for: Self.name(of: source)).flatMap { PurgeID(encoded: $0) }
    let now = clock.uptime()
    let isNew = state.withLock { state in
      var entry = state.known[source.hashValue] ?? Known()
      // A purge of this node that began during the look-up is newer than the result of the look-up.
      guard entry.id == last else { return false }
      let isNew = id != nil && id != entry.id && id != entry.replaced
      if isNew { (entry.id, entry.isLoaded) = (id, false) }
      entry.lookedAt = now
      state.known[source.hashValue] = entry
      return isNew
    }
    if isNew { learn() }
  }

  private func isLookDue(_ known: Known?, now: Int) -> Bool {
    guard store != nil else { return false }
    guard let lookedAt = known?.lookedAt else { return true }
    return now - lookedAt >= interval
  }

  /// Returns `true` for the first load of a source after a purge. Stored bytes must not be used for it.
  func beginsLoading(_ source: URL, after id: PurgeID) -> Bool {
    state.withLock { state in
      guard var entry = state.known[source.hashValue], entry.id == id else { return true }
      let isFirst = !entry.isLoaded
      entry.isLoaded = true
      state.known[source.hashValue] = entry
      return isFirst
    }
  }

  /// Records a purge. It applies to this node before it is recorded.
  ///
  /// - Returns: `true` if the other nodes will learn of it.
  func purge(_ source: URL, _ id: PurgeID, timeLimit: Double) async -> Bool {
    let name = Self.name(of: source)
    let replaced = await store?.data(for: name).flatMap { PurgeID(encoded: $0) }
    let now = clock.uptime()
    state.withLock { state in
      let key = source.hashValue
      state.known[key] = Known(id: id, replaced: replaced ?? state.known[key]?.id, lookedAt: now)
    }
    isActive.store(true, ordering: .relaxed)
    guard let store else { return true }
    let isStored = Deferred<Bool>()
    let timer = clock.after(timeLimit) { isStored.complete(false) }
    defer { timer.cancel() }
    Task.detached { [flush] in
      await store.store(id.encoded, named: name, flush: flush)
      // If the data was dropped, the store has no purge, or an earlier one.
      isStored.complete(await store.data(for: name) == id.encoded)
    }
    return await isStored.value
  }

  /// 45 bytes of ASCII.
  static func name(of source: URL) -> String { "p1-" + Digest.text(of: Data(source.absoluteString.utf8)) }
}
