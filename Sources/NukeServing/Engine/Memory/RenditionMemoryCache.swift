import Foundation
import Nuke
import NukeImaging
import Synchronization

/// Renditions in memory, bounded by their bytes.
///
/// What is to go is chosen as SIEVE does (Zhang et al., NSDI '24): entries stand in the order in which they came, and a
/// hand goes from the oldest on and takes out the first that was not used since it last came by. A hit moves nothing, and
/// what is asked for once goes before what is asked for again.
///
/// When memory runs short on the machine, half of what is kept goes; nine tenths when it is nearly at its end.
final class RenditionMemoryCache: Sendable {
  private let state: Lock<Sieve>
  /// Bytes that one rendition may take.
  let entryLimit: Int
  private let registration = Lock<MemoryPressure.Registration?>(nil)

  /// - Parameters:
  ///   - limit: bytes of all renditions; 0 for none.
  ///   - entryLimit: bytes of one; a larger one is not kept.
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

  /// Returns the entry for a request, which counts as a use.
  func record(for request: RenditionRequest) -> RenditionRecord? {
    let hash = Self.hash(request)
    return state.withLock { $0.find(request, hash: hash) }
  }

  /// Keeps a record in place of the one that was there.
  func keep(_ record: RenditionRecord, for request: RenditionRequest) {
    var request = request
    request.options = request.options.ofFile
    let hash = Self.hash(request)
    let cost = record.cost(of: request)
    // What goes is let go of outside of the lock.
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

  func trim(toCost cost: Int) {
    let removed = state.withLock { $0.trim(toCost: cost) }
    withExtendedLifetime(removed) {}
  }

  /// Bytes of all that is kept.
  var cost: Int { state.withLock { $0.cost } }
  /// Renditions that are kept.
  var count: Int { state.withLock { $0.count } }
  var limit: Int { state.withLock { $0.limit } }

  /// Returns a hash of the parts in which most requests differ; the rest is compared.
  private static func hash(_ request: RenditionRequest) -> Int {
    var hasher = Hasher()
    hasher.combine(request.source)
    hasher.combine(request.format)
    hasher.combine(request.options.width)
    hasher.combine(request.options.height)
    hasher.combine(request.options.dpr)
    hasher.combine(request.options.quality)
    return hasher.finalize()
  }
}

extension RenditionRecord {
  /// About the bytes that it takes in memory.
  fileprivate func cost(of request: RenditionRequest) -> Int {
    MemoryLayout<Sieve.Entry>.size + 512 + request.source.absoluteString.utf8.count + rendition.data.count
  }
}
