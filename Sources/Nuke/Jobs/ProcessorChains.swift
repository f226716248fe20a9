import NukeBase

/// Maps equal lists of processors to one object, so that keys can be compared under a lock. `==` of a processor is user
/// code, which might acquire a lock.
final class ProcessorChains: Sendable {
  /// The chains, by the hash of their first processors. They are weak references: the keys in use retain the chains.
  private let chains = Lock(WeakTable<Int, ProcessorChain>())

  /// Returns the object that represents the first `count` processors of `chain`.
  ///
  /// If two different lists have equal hashes, the second represents itself, and its work is not shared.
  func representative(of chain: ProcessorChain?, count: Int) -> ProcessorChain? {
    guard count > 0, let chain else { return nil }
    let hash = chain.hash(ofFirst: count)
    var others: [ProcessorChain] = []
    let known = chains.withLock { $0.object(for: hash, others: &others) { chain } }
    // Released outside the lock: a chain refers to processors, whose `deinit` is user code.
    withExtendedLifetime(others) {}
    if known === chain || known.address == chain.address { return known }
    guard known.processors.count >= count, known.begins(like: chain, count: count) else { return chain }
    if count == chain.processors.count, count == known.processors.count { chain.noteEqual(known) }
    return known
  }
}
