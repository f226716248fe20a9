import NukeImaging

/// Maps equal lists of processors to one object, so that keys can be compared under a lock. `==` of a processor is code
/// of the program's, which might take a lock of its own.
final class ProcessorChains: Sendable {
  private struct Place: @unchecked Sendable {
    weak var chain: ProcessorChain?
  }

  private struct State {
    /// By the hash of the first processors. The chains are held by the keys in use.
    var places: [Int: Place] = [:]
    /// The number of entries at which those of released chains are removed.
    var limit = 64

    mutating func removeReleased() {
      guard places.count >= limit else { return }
      places = places.filter { $0.value.chain != nil }
      limit = max(64, places.count * 2)
    }
  }

  private let state = Lock(State())

  /// Returns the object that represents the first `count` processors of `chain`.
  ///
  /// If two different lists have equal hashes, the second represents itself, and its work is not shared.
  func representative(of chain: ProcessorChain?, count: Int) -> ProcessorChain? {
    guard count > 0, let chain else { return nil }
    let hash = chain.hash(ofFirst: count)
    let known = state.withLock { state -> ProcessorChain in
      if let known = state.places[hash]?.chain { return known }
      state.removeReleased()
      state.places[hash] = Place(chain: chain)
      return chain
    }
    if known === chain || known.address == chain.address { return known }
    guard known.processors.count >= count, known.begins(like: chain, count: count) else { return chain }
    if count == chain.processors.count, count == known.processors.count { chain.noteEqual(known) }
    return known
  }
}
