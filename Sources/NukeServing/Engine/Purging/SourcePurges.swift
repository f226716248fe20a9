import Foundation
import Nuke
import Synchronization

/// The last purge of each source: those of this node, and those that other nodes have recorded in a store.
///
/// A node looks up the last purge in the store before it sends an image, at most once per ``interval`` for each source.
/// A purge therefore reaches all nodes within the interval. If the store does not reply, the last known purge applies.
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

  /// Clients choose the sources, so the table keeps only hashes of them. Sources with equal hashes share their purges.
  private let known = Lock(RecentTable<Int, Known>(limit: 65_536))
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
    let known = known.withLock { $0[source.hashValue] }
    return !isLookDue(known) && record.isCurrent(after: known?.id)
  }

  /// Returns `true` if another purge of a source is known than the given one.
  func isPurged(_ source: URL, since id: PurgeID?) -> Bool {
    guard isActive.load(ordering: .relaxed), let last = known.withLock({ $0[source.hashValue]?.id }) else {
      return false
    }
    return last != id
  }

  /// Returns the last purge of a source, and `true` if this node has just learned of it. Looks in the store if the last
  /// look-up was longer ago than the interval.
  func last(of source: URL) async -> (id: PurgeID?, isNew: Bool) {
    guard isActive.load(ordering: .relaxed) else { return (nil, false) }
    let key = source.hashValue
    let found = known.withLock { $0[key] }
    guard let store, isLookDue(found) else { return (found?.id, false) }
    let id = await store.data(for: Self.name(of: source)).flatMap { PurgeID(encoded: $0) }
    let now = clock.uptime()
    return known.withLock { known in
      var entry = known[key] ?? Known()
      // A purge of this node that began during the look-up is newer than the result of the look-up.
      let isOvertaken = entry.id != found?.id
      let isNew = !isOvertaken && id != nil && id != entry.id && id != entry.replaced
      if isNew { (entry.id, entry.isLoaded) = (id, false) }
      if !isOvertaken { entry.lookedAt = now }
      known[key] = entry
      return (entry.id, isNew)
    }
  }

  private func isLookDue(_ known: Known?) -> Bool {
    guard store != nil else { return false }
    guard let lookedAt = known?.lookedAt else { return true }
    return clock.uptime() - lookedAt >= interval
  }

  /// Returns `true` for the first load of a source after a purge. Stored bytes must not be used for it.
  func beginsLoading(_ source: URL, after id: PurgeID) -> Bool {
    known.withLock { known in
      guard var entry = known[source.hashValue], entry.id == id else { return true }
      let isFirst = !entry.isLoaded
      entry.isLoaded = true
      known[source.hashValue] = entry
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
    known.withLock { known in
      let key = source.hashValue
      known[key] = Known(id: id, replaced: replaced ?? known[key]?.id, lookedAt: now)
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
