import Foundation
import Nuke
import Synchronization

/// A memory cache for renditions, limited by size in bytes.
///
/// Evicts entries by the SIEVE algorithm (Zhang et al., NSDI '24). Entries are kept in insertion order. A hand moves
/// from the oldest entry to the newest and evicts the first that was not used since it last passed. A hit moves
/// nothing, and entries that are requested once are evicted before entries that are requested again.
///
/// When the machine runs short of memory, the cache evicts half of its entries by size; nine tenths if the shortage is
/// critical.
final class RenditionMemoryCache: Sendable {
  private let state: Lock<Sieve>
  /// The maximum size of one rendition, in bytes.
  let entryLimit: Int
  private let registration = Lock<MemoryPressure.Registration?>(nil)

  /// - Parameters:
  ///   - limit: the maximum size of all renditions in bytes; 0 disables the cache.
  ///   - entryLimit: the maximum size of one rendition in bytes. Larger ones are not stored.
  init(limit: Int, entryLimit: Int, pressure: MemoryPressure = .shared) {
    state = Lock(Sieve(limit: max(0, limit)))
    self.entryLimit = min(entryLimit, limit)
    guard limit > 0 else { return }
    let registration = pressure.register { [weak self] level in
      guard let self else { return }
      trim(toCost: Int(Double(cost) * level.keptPart))
    }
    self.registration.withLock { $0 = registration }
  }

  /// Returns the entry for a request, and marks it as used.
  func record(for request: RenditionRequest) -> RenditionRecord? {
    guard entryLimit > 0 else { return nil }
    let hash = Self.hash(request)
    return state.withLock { $0.find(request, hash: hash) }
  }

  /// Stores a record and replaces the existing one.
  func keep(_ record: RenditionRecord, for request: RenditionRequest) {
    var request = request
    request.options = request.options.ofFile
    request.validatesSource = false
    let hash = Self.hash(request)
    let cost = record.cost(of: request)
    // Evicted records are released outside the lock.
    let removed = state.withLock { sieve in
      cost <= entryLimit ? sieve.keep(record, for: request, hash: hash, cost: cost) : sieve.remove(request, hash: hash)
    }
    withExtendedLifetime(removed) {}
  }

  func remove(_ request: RenditionRequest) {
    let hash = Self.hash(request)
    let removed = state.withLock { $0.remove(request, hash: hash) }
    withExtendedLifetime(removed) {}
  }

  /// Removes all entries of a source.
  func removeAll(of source: URL) {
    let removed = state.withLock { $0.removeAll(of: source) }
    withExtendedLifetime(removed) {}
  }

  func trim(toCost cost: Int) {
    let removed = state.withLock { $0.trim(toCost: cost) }
    withExtendedLifetime(removed) {}
  }

  /// The size of all entries, in bytes.
  var cost: Int { state.withLock { $0.cost } }
  /// The number of entries.
  var count: Int { state.withLock { $0.count } }
  var limit: Int { state.withLock { $0.limit } }

  /// Returns a hash of the fields in which most requests differ. Entries with equal hashes are compared in full.
  private static func hash(_ request: RenditionRequest) -> Int {
    var hasher = Hasher()
    hasher.combine(request.source)
    hasher.combine(request.sourceFields)
    hasher.combine(request.format)
    hasher.combine(request.options.width)
    hasher.combine(request.options.height)
    hasher.combine(request.options.dpr)
    hasher.combine(request.options.quality)
    return hasher.finalize()
  }
}

extension RenditionRecord {
  /// The approximate size in memory, in bytes.
  fileprivate func cost(of request: RenditionRequest) -> Int {
    MemoryLayout<Sieve.Entry>.size + 512 + request.source.absoluteString.utf8.count + rendition.data.count
      + request.sourceFields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
