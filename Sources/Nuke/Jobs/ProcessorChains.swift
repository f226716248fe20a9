import NukeImaging

/// Finds one object for all equal lists of processors, so that keys can be compared under a lock: `==` of a processor is
/// code of the program's, which might take a lock of its own.
final class ProcessorChains: Sendable {
  private struct Place: @unchecked Sendable {
    weak var chain: ProcessorChain?
  }

  private struct State {
    /// By the hash of the first processors. A place lives as long as somebody else holds its chain.
    var places: [Int: Place] = [:]
    /// The number of places at which those of released chains are removed.
    var limit = 64

    mutating func removeReleased() {
      guard places.count >= limit else { return }
      places = places.filter { $0.value.chain != nil }
      limit = max(64, places.count * 2)
    }
  }

  private let state = Lock(State())

  /// The object that stands for the first `count` processors of `chain`. Keys that are in use hold it.
  ///
  /// Two lists that differ and have equal hashes keep an object each, so that their work is not shared with anyone's.
  func representative(of chain: ProcessorChain?, count: Int) -> ProcessorChain? {
    guard count > 0, let chain else { return nil }
    let hash = chain.hash(ofFirst: count)
    let known = state.withLock { state -> ProcessorChain in
      if let known = state.places[hash]?.chain { return known }
      state.removeReleased()
      state.places[hash] = Place(chain: chain)
      return chain
    }
    if known === chain { return chain }
    return known.processors.count >= count && known.begins(like: chain, count: count) ? known : chain
  }
}
